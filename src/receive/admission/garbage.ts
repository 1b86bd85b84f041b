import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Returns a function that runs a full garbage collection. Works without the Node flag `--expose-gc`. V8 postpones full collections while
 * the system has free memory, and does not know this process's lower limit.
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
 * Returns a function that limits heap growth while memory is short: V8 then collects after the heap has grown by half, instead of by up to
 * several times its size. More frequent collections cost CPU time.
 */
export function heapGrowth(): (isShort: boolean) => void {
  return onChange((isShort) => letGrow(isShort ? NARROW_PERCENT : 0));
}

/**
 * Returns a function that sets flags of V8, so that V8 collects more often and returns memory to the system while memory is short: V8 then
 * collects after the heap has grown by a quarter. Collections run mostly on other threads, while a forced collection stops the process.
 * Each full collection also moves up to 6 MiB of objects out of half-empty pages. V8's default moves objects only out of almost empty
 * pages, so that after many freed traces a third of the heap stays unused.
 */
export function heapEconomy(): (isShort: boolean) => void {
  return onChange((isShort) => {
    letGrow(isShort ? SHORT_PERCENT : 0);
    setFlagsFromString(isShort ? "--optimize-for-size" : "--no-optimize-for-size");
  });
}

/**
 * Returns a function that stops the growth of V8's young generation at `mostBytes`. The young generation can reach twice this size if it
 * grows between two calls of the function. V8's default is 32 MiB for both halves, and as much again during a collection. A smaller young
 * generation costs CPU time.
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
 * allocate directly in old space. Dead objects in old space retain young objects until the next full collection. With recorded runs, a
 * collector without pretenuring needs 295 instead of 344 MiB and a tenth more CPU; a replay gains nothing.
 */
export function withoutPretenuring(): () => void {
  setFlagsFromString("--no-allocation-site-pretenuring");
  return () => setFlagsFromString("--allocation-site-pretenuring");
}

/** Sets the percentage by which the heap may grow before V8 collects; 0 restores V8's default. */
function letGrow(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
