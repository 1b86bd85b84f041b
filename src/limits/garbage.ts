import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Makes a function that collects all garbage at once, and moves what is left together so that pages go back to the system, without Node having
 * been started for it. The engine puts both off while the system has memory left; a process that keeps to a limit of its own cannot wait for that.
 */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc !== "function") return () => undefined;
  return () => {
    setFlagsFromString("--compact-on-every-full-gc");
    gc();
    setFlagsFromString("--no-compact-on-every-full-gc");
  };
}
