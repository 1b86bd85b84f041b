import { errorVerdict } from "../../../evaluate/result/error-evaluation.ts";
import { faultOf } from "../../../model/fault.ts";
import type { Outcome } from "../../../model/outcome.ts";
import type { Verdict } from "../../../model/verdict.ts";
import { faultyRun } from "../../../pipeline/faults/faulty-run.ts";
import type { StoredVerdict } from "../../../store/archive.ts";

/** A result whose JSON is rendered for each request, until `write` stores the text. */
export class Kept {
  #render: (() => string) | undefined;
  readonly #renderError: (error: unknown) => string;
  #text = "";

  /**
   * @param renderError renders a substitute if `render` throws, so that the other results of a response are
   * still returned
   */
  constructor(render: () => string, renderError: (error: unknown) => string) {
    this.#render = render;
    this.#renderError = renderError;
  }

  get json(): string {
    if (this.#render === undefined) return this.#text;
    try {
      return this.#render();
    } catch (error) {
      return this.#renderError(error);
    }
  }

  /** Renders the JSON text and keeps it in memory. Releases the objects from which the text was rendered. */
  write(): void {
    this.#text = this.json;
    this.#render = undefined;
  }

  /** Number of characters of the stored text. 0 before `write`. */
  get size(): number {
    return this.#text.length;
  }
}

export class RetainedVerdict extends Kept implements StoredVerdict {
  readonly verdictId: string;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly agent: string | null;
  readonly queryId: string;
  readonly spec: string;
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly judgedUnixMs: number;

  constructor(verdict: Verdict, judgedUnixMs: number, render: (verdict: Verdict) => string) {
    super(
      () => render(verdict),
      (error) => {
        const fault = faultOf("publish", error);
        return render(errorVerdict(verdict, faultyRun(verdict.run, fault), fault));
      },
    );
    const { agent, runId, traceIds } = verdict.run;
    this.verdictId = verdict.verdictId;
    this.revision = verdict.revision;
    this.outcome = verdict.outcome;
    this.agent = agent;
    this.queryId = verdict.queryId;
    this.spec = verdict.spec;
    this.runId = runId;
    this.traceIds = traceIds;
    this.judgedUnixMs = judgedUnixMs;
  }

  get key(): string {
    return `${this.verdictId}#${this.revision}`;
  }

  get isGood(): boolean {
    return this.outcome === "pass" || this.outcome === "skip";
  }
}
