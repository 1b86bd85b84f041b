import { addAnnotation, removeAnnotation } from "../read/annotations.ts";
import type { Annotation, Archive, NewAnnotation } from "../archive.ts";
import type { ChangeRecord, ChangeRecords } from "../recorded-changes.ts";
import { addChange, claimLook, claimUnsent, markSent } from "../write/change-records.ts";
import type { Dialect, Steps } from "./dialect.ts";
import type { ReadName, ReadResult, Reads } from "../read/reads.ts";

/** A store in an SQL database. A subclass executes the database steps. */
export abstract class SqlArchive implements Archive {
  readonly verdicts = this.#reading("verdicts");
  readonly verdict = this.#reading("verdict");
  readonly revisions = this.#reading("revisions");
  readonly run = this.#reading("run");
  readonly runs = this.#reading("runs");
  readonly facets = this.#reading("facets");
  readonly telemetry = this.#reading("telemetry");
  readonly sums = this.#reading("sums");
  readonly problems = this.#reading("problems");
  readonly samples = this.#reading("samples");
  readonly timedVerdicts = this.#reading("timedVerdicts");
  readonly runSettings = this.#reading("runSettings");
  readonly changes = this.#reading("changes");
  readonly unjudged = this.#reading("unjudged");
  readonly annotations = this.#reading("annotations");
  readonly labels = this.#reading("labels");
  readonly since = this.#reading("since");
  readonly newest = this.#reading("newest");
  readonly #dialect: Dialect;
  readonly #listeners = new Set<() => void>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Runs a read operation. Rejects if the database cannot be read. */
  protected abstract read<Name extends ReadName>(
    name: Name,
    ...values: Parameters<Reads[Name]>
  ): Promise<ReadResult<Name>>;

  /** Writes all records that were added before, and then runs steps that change data. */
  protected abstract change<Result>(work: () => Steps<Result>): Promise<Result>;

  abstract status(): Promise<object>;

  annotate(annotation: NewAnnotation, nowUnixMs: number): Promise<Annotation | undefined> {
    return this.change(() => addAnnotation(this.#dialect, annotation, nowUnixMs));
  }

  removeAnnotation(id: number): Promise<boolean> {
    return this.change(() => removeAnnotation(this.#dialect, id));
  }

  claimLook(...values: Parameters<ChangeRecords["claimLook"]>): Promise<number | undefined> {
    return this.change(() => claimLook(this.#dialect, ...values));
  }

  addChange(...values: Parameters<ChangeRecords["addChange"]>): Promise<boolean> {
    return this.change(() => addChange(this.#dialect, ...values));
  }

  claimUnsent(...values: Parameters<ChangeRecords["claimUnsent"]>): Promise<readonly ChangeRecord[]> {
    return this.change(() => claimUnsent(this.#dialect, ...values));
  }

  markSent(...values: Parameters<ChangeRecords["markSent"]>): Promise<void> {
    return this.change(() => markSent(this.#dialect, ...values));
  }

  onVerdicts(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Notifies the listeners that new verdicts are stored. */
  protected announce(): void {
    for (const listener of this.#listeners) listener();
  }

  #reading<Name extends ReadName>(
    name: Name,
  ): (...values: Parameters<Reads[Name]>) => Promise<ReadResult<Name>> {
    return (...values) => this.read(name, ...values);
  }
}
