import type { Collector } from "../inputs/live-port.ts";

const EVERY_MS = 250;
const ERASED = "\r\u001b[2K";

/**
 * A terminal whose last line shows the number of open runs while runs are open. Each output erases the line
 * first, and shows it again below.
 */
export class AssemblingLine {
  readonly #terminal: Pick<NodeJS.WriteStream, "write" | "isTTY">;
  #shown = "";

  constructor(terminal: Pick<NodeJS.WriteStream, "write" | "isTTY">) {
    this.#terminal = terminal;
  }

  get isTTY(): boolean {
    return this.#terminal.isTTY;
  }

  /** Writes whole lines. */
  write(lines: string): void {
    if (lines !== "") this.#terminal.write(this.#shown === "" ? lines : `${ERASED}${lines}${this.#shown}`);
  }

  show(open: number): void {
    const text = open === 0 ? "" : `assembling… ${open} open ${open === 1 ? "trace" : "traces"}`;
    if (text === this.#shown) return;
    this.#shown = text;
    this.#terminal.write(`${ERASED}${text}`);
  }

  /** Follows a collector until it is stopped. */
  follow(live: Pick<Collector, "openTraces">): { stop(): void } {
    const timer = setInterval(() => this.show(live.openTraces()), EVERY_MS).unref();
    return {
      stop: () => {
        clearInterval(timer);
        this.show(0);
      },
    };
  }
}
