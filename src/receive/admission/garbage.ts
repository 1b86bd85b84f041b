import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Returns a function that runs a full garbage collection. It works without the Node flag `--expose-gc`. Forced collections are needed
 * because V8 postpones full collections while the system has free memory; V8 does not know this process's lower limit.
 */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof gc !== "function") return () => undefined;
  return () => void gc();
}

const NARROW_PERCENT = 50;
const SHORT_PERCENT = 25;

/**
 * Returns a function that limits heap growth while memory is short. V8 then collects after the heap has grown by half; by default, the heap
 * may grow to several times its size. More frequent collections cost CPU time.
 */
export function heapGrowth(): (isShort: boolean) => void {
  return onChange((isShort) => letGrow(isShort ? NARROW_PERCENT : 0));
}

/**
 * Returns a function that sets flags of V8 while memory is short. V8 then collects after the heap has grown by a quarter, and returns
 * memory to the system. These collections run mostly on other threads, while a forced collection stops the process. Each full collection
 * also moves up to 6 MiB of objects out of half-empty pages. By default, V8 moves objects only out of almost empty pages, and after many
 * freed traces a third of the heap would stay unused.
 */
export function heapEconomy(): (isShort: boolean) => void {
  return onChange((isShort) => {
    letGrow(isShort ? SHORT_PERCENT : 0);
    setFlagsFromString(isShort ? "--optimize-for-size" : "--no-optimize-for-size");
  });
}

/**
 * Returns a function that stops the growth of V8's young generation at `mostBytes`; call it periodically. If the young generation grows
 * between two calls, it can reach twice this size. V8's default is 32 MiB for both halves, and another 32 MiB during a collection. A
 * smaller young generation costs CPU time.
 */
export function youngGenerationLimit(mostBytes: number): () => void {
  let isLimited = false;
  return () => {
    if (isLimited) return;
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
    if (young === undefined || young.space_size < mostBytes) return;
    isLimited = true;
    setFlagsFromString("--semi-space-growth-factor=1");
  };
}

function onChange(set: (isShort: boolean) => void): (isShort: boolean) => void {
  let wasShort = false;
  return (isShort) => {
    if (isShort === wasShort) return;
    wasShort = isShort;
    set(isShort);
  };
}

/**
 * Disables V8's allocation-site pretenuring, and returns a function that enables it again. With pretenuring, frequently used call sites
 * allocate directly in old space, and dead objects there retain young objects until the next full collection. Measured with recorded runs:
 * without pretenuring, a collector needs 295 MiB instead of 344 MiB, and a tenth more CPU. A replay gains nothing.
 */
export function withoutPretenuring(): () => void {
  setFlagsFromString("--no-allocation-site-pretenuring");
  return () => setFlagsFromString("--allocation-site-pretenuring");
}

/** Sets the percentage by which the heap may grow before V8 collects; 0 restores V8's default. */
function letGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
