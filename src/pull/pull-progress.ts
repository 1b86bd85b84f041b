import type { Writable } from "node:stream";

/** If the output is not a terminal, minimum milliseconds between two lines with counts. A line about a pause is written at once. */
const LINE_MS = 10_000;
const REDRAW_MS = 100;
const CLEAR = "\r\u001b[2K";

export interface PullCounts {
  readonly traces: number;
  readonly spans: number;
  /** Number of copied files. */
  readonly files: number;
}

/**
 * Shows the progress of a pull: on a terminal as one line that is redrawn, otherwise as a new line every ten seconds. `now` returns the
 * time in milliseconds.
 */
export class PullProgress {
  readonly #stream: Writable & { readonly isTTY?: boolean };
  readonly #name: string;
  readonly #now: () => number;
  #nextMs: number;
  #isShown = false;

  constructor(
    stream: Writable & { readonly isTTY?: boolean },
    name: string,
    now: () => number = () => performance.now(),
  ) {
    this.#stream = stream;
    this.#name = name;
    this.#now = now;
    this.#nextMs = now() + (this.#isTerminal ? REDRAW_MS : LINE_MS);
  }

  get #isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  pulled(counts: PullCounts): void {
    this.#show(`${this.#name}: ${countsText(counts)} so far`, false);
  }

  waiting(reason: string, ms: number): void {
    if (ms >= 1000) this.#show(`${this.#name}: ${reason}, next request in ${Math.round(ms / 1000)} s`, true);
  }

  /** Removes the line from the terminal. */
  done(): void {
    if (this.#isShown) this.#stream.write(CLEAR);
    this.#isShown = false;
  }

  #show(text: string, isUrgent: boolean): void {
    if (!isUrgent && this.#now() < this.#nextMs) return;
    this.#nextMs = this.#now() + (this.#isTerminal ? REDRAW_MS : LINE_MS);
    this.#stream.write(this.#isTerminal ? `${CLEAR}${text}` : `${text}\n`);
    this.#isShown = this.#isTerminal;
  }
}

/** Returns the counts as text, such as `3,400 spans of 210 traces`. */
export function countsText({ spans, traces, files }: PullCounts): string {
  if (files > 0) return counted(files, "file");
  return `${counted(spans, "span")} of ${counted(traces, "trace")}`;
}

function counted(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
