import type { Fragment } from "../../runs/fragments/fragment.ts";
import { loneCall } from "../../runs/stitching/call-fingerprint.ts";
import { FragmentBoundary } from "../../runs/stitching/fragment-boundary.ts";
import type { Aside } from "./messages.ts";

/** More are not needed: at most this many error-only fragments become runs. */
const MOST_ERROR_ONLY = 1_000;

/** Notes what a worker leaves to be joined elsewhere. */
export class SettingAside {
  readonly #numberOf: (traceId: string) => number;
  readonly #traces = new Set<number>();
  #errorOnly: number[] = [];
  #isAnyWhole = false;
  #isAnyLone = false;

  constructor(numberOf: (traceId: string) => number) {
    this.#numberOf = numberOf;
  }

  /** Takes a fragment that may belong with other traces, or an error-only one. */
  take(fragment: Fragment): void {
    const number = this.#numberOf(fragment.traceId);
    if (!fragment.isErrorOnly) {
      this.#traces.add(number);
      this.#isAnyLone ||= loneCall(new FragmentBoundary(fragment)) !== undefined;
    } else if (this.#errorOnly.length < MOST_ERROR_ONLY) this.#errorOnly.push(number);
  }

  /** A run was released. */
  ran(): void {
    this.#isAnyWhole = true;
  }

  get aside(): Aside {
    const isAnyRun = this.#isAnyWhole || this.#traces.size > 0;
    return {
      traces: [...this.#traces],
      errorOnly: isAnyRun ? [] : this.#errorOnly,
      isAnyRun,
      isAnyWhole: this.#isAnyWhole,
      isAnyLone: this.#isAnyLone,
    };
  }
}
