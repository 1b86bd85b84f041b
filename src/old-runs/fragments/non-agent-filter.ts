import type { SpanView } from "../../model/telemetry/span-view.ts";
import { isTellingName } from "../span/role-of-span.ts";
import type { FieldLayout } from "../layout/field-layout.ts";
import type { FieldReader } from "../span/span-reading.ts";

/** Names are untrusted input: with more than this the table is emptied. */
const MOST_NAMES = 4096;

/**
 * Tells spans that have no part in an agent's work: no key, scope or name of theirs says what it might be. Most traffic of a system is
 * such, and need not be read further.
 */
export class NonAgentFilter {
  readonly #reader: FieldReader;
  readonly #telling = new Map<string, boolean>();

  constructor(reader: FieldReader) {
    this.#reader = reader;
  }

  holds(span: SpanView, layout: FieldLayout = this.#reader.layoutOf(span)): boolean {
    if (!layout.isBystander || layout.dialects(span.scopeName).adapters.length > 0) return false;
    return !this.#isTelling(span.name);
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
