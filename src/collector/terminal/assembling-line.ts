import type { Collector } from "../inputs/live-port.ts";

const EVERY_MS = 250;
const ERASED = "\r\u001b[2K";

/**
 * Shows the number of open traces in the last line of the terminal. The line is erased before other output, and shown again below this
 * output.
 */
export class AssemblingLine {
  readonly #terminal: Pick<NodeJS.WriteStream, "write" | "isTTY">;
  #shown = "";
  #open: () => number = () => 0;

  constructor(terminal: Pick<NodeJS.WriteStream, "write" | "isTTY">) {
    this.#terminal = terminal;
  }

  get isTTY(): boolean {
    return this.#terminal.isTTY;
  }

  write(lines: string): void {
    const erased = this.#shown === "" ? "" : ERASED;
    this.#shown = openText(this.#open());
    this.#terminal.write(`${erased}${lines}${this.#shown}`);
  }

  /** Shows the current number of open traces. */
  update(): void {
    if (openText(this.#open()) !== this.#shown) this.write("");
  }

  /** Updates the line until `stop` is called. */
  follow(live: Pick<Collector, "openTraces">): { stop(): void } {
    this.#open = () => live.openTraces();
    const timer = setInterval(() => this.update(), EVERY_MS).unref();
    return {
      stop: () => {
        clearInterval(timer);
        this.#open = () => 0;
        this.update();
      },
    };
  }
}

function openText(open: number): string {
  return open === 0 ? "" : `assembling… ${open} open ${open === 1 ? "trace" : "traces"}`;
}
