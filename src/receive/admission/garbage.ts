import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Makes a function that collects all garbage at once, without Node having been started for it. The engine puts that off while the system has
 * memory left; a process that keeps to a limit of its own cannot wait for that. What is left is not moved together: that takes as much memory
 * again while it lasts, just when there is none.
 */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof gc !== "function") return () => undefined;
  return () => void gc();
}

const NARROW_PERCENT = 50;

/**
 * Makes a function that tells the engine whether memory is short. While it is, the heap grows by no more than half before it is collected, instead
 * of several times its size: that costs time, and keeps garbage from taking what telemetry needs.
 */
export function heapGrowth(): (isShort: boolean) => void {
  let wasShort = false;
  return (isShort) => {
    if (isShort === wasShort) return;
    wasShort = isShort;
    letGrow(isShort ? NARROW_PERCENT : 0);
  };
}

/**
 * Disables V8's allocation-site pretenuring: long-lived call sites otherwise allocate directly in old space, where each dead object retains the
 * young ones that it points to until the next full collection. A collector that gets recorded runs takes a seventh less memory for it (295 MiB,
 * 344 without) and a tenth more CPU; replay of recorded runs gains nothing. Returns what enables it again.
 */
export function withoutPretenuring(): () => void {
  setFlagsFromString("--no-allocation-site-pretenuring");
  return () => setFlagsFromString("--allocation-site-pretenuring");
}

/** By how much of its size the heap may grow before it is collected; 0 leaves it to the engine. */
function letGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
