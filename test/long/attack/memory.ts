import { readFileSync, writeFileSync } from "node:fs";

const MIB = 1024;

/** The highest resident memory of a process since `restart`, in MiB, as Linux counts it. */
export class PeakMemory {
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
