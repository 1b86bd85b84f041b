import { readFileSync, writeFileSync } from "node:fs";

const MIB = 1024;

/** What a process takes, as Linux counts it: the highest resident memory since `restart`, in MiB, and processor time. */
export class ProcessUse {
  readonly #pid: number;
  #overall = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  restart(): void {
    this.read();
    try {
      writeFileSync(`/proc/${this.#pid}/clear_refs`, "5");
    } catch {
      // Without the right to do that, peaks are of the whole time.
    }
  }

  read(): number {
    const status = readFileSync(`/proc/${this.#pid}/status`, "utf8");
    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / MIB;
    this.#overall = Math.max(this.#overall, peak);
    return peak;
  }

  /** Processor time of the main thread since the process began, in milliseconds. */
  mainThreadMs(): number {
    return Number(readFileSync(`/proc/${this.#pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }

  /** How long the main thread was ready and got no processor since the process began, in milliseconds. */
  processorWaitMs(): number {
    return Number(readFileSync(`/proc/${this.#pid}/schedstat`, "utf8").split(" ")[1]) / 1e6;
  }

  /** Processor time of the process since it began, in milliseconds. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  get overall(): number {
    return this.#overall;
  }
}
