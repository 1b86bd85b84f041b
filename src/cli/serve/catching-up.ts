import type { Engine } from "../engine/engine.ts";

/** Traces that are closed between two looks at the clock, and how long closing them may keep requests waiting. */
const AT_ONCE = 32;
const LONGEST_MS = 50;

/** Makes a function that closes what is due, with breaks for requests when it is much. */
export function catchingUp({ pipeline }: Engine, now: () => number): () => void {
  let goesOn = false;
  const catchUp = (): void => {
    goesOn = false;
    const until = now() + LONGEST_MS;
    while (pipeline.tick(now(), AT_ONCE)) {
      if (now() < until) continue;
      goesOn = true;
      setImmediate(catchUp);
      return;
    }
  };
  return () => {
    if (!goesOn) catchUp();
  };
}
