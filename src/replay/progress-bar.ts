/** Displays the progress of a replay. */
export interface Progress {
  at(share: number): void;
  expect(runs: number): void;
  /** Increments the number of runs that is shown. */
  ran(): void;
  /** Removes the progress bar. */
  done(): void;
}

/** Milliseconds after the start of a replay until a progress bar is shown. */
const LONG_MS = 1_000;
const EVERY_MS = 100;
const WIDTH = 24;
const CLEAR = "\r\u001b[2K";

const noProgress: Progress = {
  at: () => undefined,
  expect: () => undefined,
  ran: () => undefined,
  done: () => undefined,
};

/** Returns a progress bar that appears after one second; without a terminal, nothing is shown. `now` returns the time in milliseconds. */
export function progressBar(
  terminal: NodeJS.WriteStream | undefined,
  now: () => number = () => performance.now(),
): Progress {
  if (terminal?.isTTY !== true) return noProgress;
  let next = now() + LONG_MS;
  let isShown = false;
  let share = 0;
  let runs = 0;
  let expected = Infinity;
  const show = (): void => {
    if (now() < next) return;
    next = now() + EVERY_MS;
    isShown = true;
    terminal.write(`${CLEAR}${barText(share, runs)}`);
  };
  return {
    at(value) {
      share = Math.min(1, Math.max(share, value));
      show();
    },
    expect(value) {
      expected = runs + value;
    },
    ran() {
      runs++;
      share = Math.min(1, Math.max(share, runs / expected));
      show();
    },
    done() {
      if (isShown) terminal.write(CLEAR);
      isShown = false;
      next = Infinity;
    },
  };
}

function barText(share: number, runs: number): string {
  const full = Math.floor(share * WIDTH);
  const bar = `${"█".repeat(full)}${"░".repeat(WIDTH - full)}`;
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${runs} ${runs === 1 ? "run" : "runs"}`;
}
