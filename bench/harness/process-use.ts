import { readdirSync, readFileSync } from "node:fs";

/** Resident memory of a process in bytes, at present and at its peak, from Linux. */
export function residentOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

/** CPU of a process in microseconds (`used`), and the time for which its threads waited for a core (`waited`). */
export function cpuUsOf(pid: number): { readonly used: number; readonly waited: number } {
  let used = 0;
  let waited = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [onCore = 0, ready = 0] = schedstatOf(`/proc/${pid}/task/${thread}`);
    used += onCore / 1000;
    waited += ready / 1000;
  }
  return { used, waited };
}

/** CPU of one thread in milliseconds, and the time for which it waited for a core. */
export function threadUseOf(
  pid: number,
  thread: string,
): { readonly usedMs: number; readonly waitedMs: number } {
  const [onCore = 0, ready = 0] = schedstatOf(`/proc/${pid}/task/${thread}`);
  return { usedMs: onCore / 1e6, waitedMs: ready / 1e6 };
}

/** CPU of the JavaScript thread in milliseconds. */
export function mainThreadMs(pid: number): number {
  return (schedstatOf(`/proc/${pid}`)[0] ?? 0) / 1e6;
}

function schedstatOf(thread: string): number[] {
  try {
    return readFileSync(`${thread}/schedstat`, "utf8").split(" ").map(Number);
  } catch {
    return []; // the thread has ended
  }
}
