/** A timer for `Promise.race`. Its promise resolves to the name of the timer. */
export interface Timer<Name extends string> {
  readonly reached: Promise<Name>;
  readonly stop: () => void;
}

export function startTimer<Name extends string>(ms: number, name: Name): Timer<Name> {
  let timer: NodeJS.Timeout | undefined;
  const reached = new Promise<Name>((resolve) => {
    timer = setTimeout(resolve, ms, name);
  });
  return { reached, stop: () => clearTimeout(timer) };
}
