import type { FindingsSink, RunFindings } from "../../report/render/findings/part.ts";
import type { ReportedRun, ReportedVerdict } from "../../report/render/findings/reported.ts";
import type { Findings } from "../../report/render/json/result.ts";
import { savedRuns, savedVerdicts } from "../../report/render/findings/saved-findings.ts";
import { FindingsList, type Room, type Saved } from "./findings-list.ts";
import { type OpenFile, TemporaryFile } from "./temporary-file.ts";

export interface HeldFindingsOptions {
  /** Whether findings are sorted; otherwise they stay in order of arrival. */
  readonly isOrdered?: boolean;
  /** Memory limit for the findings of each kind. */
  readonly room?: Room | undefined;
}

/** Findings in a file, to pass them to another thread. */
export interface HeldRuns extends Readonly<Record<RunFindings, readonly Saved[]>> {
  readonly file: OpenFile | undefined;
}

/** Verdicts and unjudged runs of a whole replay. The caller must close the findings after the report is written. */
export class HeldFindings implements FindingsSink {
  readonly #verdicts: FindingsList<ReportedVerdict>;
  readonly #unmatched: FindingsList<ReportedRun>;
  readonly #ambiguous: FindingsList<ReportedRun>;
  readonly #others: TemporaryFile[] = [];
  #file: TemporaryFile | undefined;

  constructor({ isOrdered = true, room }: HeldFindingsOptions = {}) {
    const file = (): TemporaryFile => (this.#file ??= new TemporaryFile());
    this.#verdicts = new FindingsList(savedVerdicts, file, isOrdered, room);
    this.#unmatched = new FindingsList(savedRuns, file, isOrdered, room);
    this.#ambiguous = new FindingsList(savedRuns, file, isOrdered, room);
  }

  verdict(found: ReportedVerdict): void {
    this.#verdicts.add(found);
  }

  unmatched(found: ReportedRun): void {
    this.#unmatched.add(found);
  }

  ambiguous(found: ReportedRun): void {
    this.#ambiguous.add(found);
  }

  /** Returns all findings. Call `findings` after the last addition. */
  findings(): Pick<Findings, RunFindings> {
    return {
      verdicts: this.#verdicts.list(),
      unmatched: this.#unmatched.list(),
      ambiguous: this.#ambiguous.list(),
    };
  }

  /** Writes all findings to the file, and returns the file for another thread. */
  relinquish(): HeldRuns {
    const verdicts = this.#verdicts.written();
    const unmatched = this.#unmatched.written();
    const ambiguous = this.#ambiguous.written();
    return { file: this.#file?.relinquish(), verdicts, unmatched, ambiguous };
  }

  /** Adds the findings of another thread. */
  takeOver({ file, verdicts, unmatched, ambiguous }: HeldRuns): void {
    if (file === undefined) return;
    const opened = new TemporaryFile(file);
    this.#others.push(opened);
    this.#verdicts.addWritten(opened, verdicts);
    this.#unmatched.addWritten(opened, unmatched);
    this.#ambiguous.addWritten(opened, ambiguous);
  }

  close(): void {
    this.#file?.close();
    for (const file of this.#others) file.close();
  }
}
