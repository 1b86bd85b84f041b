import type { SpanView } from "../model/span-view.ts";
import { isTellingName } from "./classify.ts";
import type { FieldReader } from "./span-reading.ts";

/** Names come from strangers: with more than this the table begins anew. */
const MOST_NAMES = 4096;

/**
 * Tells spans that have nothing to do with agents: no key, scope or name of theirs means anything to an adapter. Most traffic of a system
 * is such, and need not be read further.
 */
export class Silence {
  readonly #reader: FieldReader;
  readonly #telling = new Map<string, boolean>();

  constructor(reader: FieldReader) {
    this.#reader = reader;
  }

  holds(span: SpanView): boolean {
    return this.#reader.isSilent(span) && !this.#isTelling(span.name);
  }

  #isTelling(name: string): boolean {
    let known = this.#telling.get(name);
    if (known === undefined) {
      if (this.#telling.size >= MOST_NAMES) this.#telling.clear();
      this.#telling.set(name, (known = isTellingName(name, this.#reader.table)));
    }
    return known;
  }
}
