import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Makes a function that collects all garbage at once, without Node having been started for it. The engine puts collecting off while the
 * system has memory left; a process that keeps to a limit of its own cannot wait for that.
 */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  return typeof collect === "function" ? (collect as () => void) : () => undefined;
}
