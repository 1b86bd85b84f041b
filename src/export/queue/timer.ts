export interface Timer {
  readonly promise: Promise<void>;
  readonly over: boolean;
  /** Resolves the promise now. */
  readonly cancel: () => void;
}

export function timer(delayMs: number, { keepsProcess = false } = {}): Timer {
  let over = false;
  let finish = (): void => {};
  const promise = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handle = setTimeout(() => {
    over = true;
    finish();
  }, delayMs);
  if (!keepsProcess) handle.unref();
  return {
    promise,
    get over() {
      return over;
    },
    cancel: () => {
      clearTimeout(handle);
      finish();
    },
  };
}
