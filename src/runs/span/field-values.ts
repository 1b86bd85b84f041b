import type { JsonValue } from "../../model/json.ts";
import type { AttributesView } from "../../model/span-view.ts";
import type { FieldSource } from "../layout/field-table.ts";
import { valueOf } from "../layout/field-text.ts";
import { type ParseJson, valueIn } from "../messages/unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";

/** The values of one field of one set of attributes, best first. Each attribute is decoded and parsed at most once. */
export class FieldValues {
  /** Index of the field. */
  readonly field: number;
  /** The next field that was read of the same set. */
  readonly next: FieldValues | undefined;
  readonly #view: AttributesView;
  readonly #sources: readonly FieldSource[];
  readonly #parse: ParseJson | undefined;
  readonly #raw: (JsonValue | undefined)[] = [];
  readonly #values: JsonValue[] = [];
  /** Sources before this index are in `#values`. */
  #read = 0;

  /**
   * `derived`: the value that an adapter makes of several attributes.
   * @param parse used in place of `JSON.parse`
   */
  constructor(
    field: number,
    view: AttributesView,
    sources: readonly FieldSource[],
    derived: JsonValue | undefined,
    next: FieldValues | undefined,
    parse?: ParseJson,
  ) {
    this.#parse = parse;
    this.field = field;
    this.next = next;
    this.#view = view;
    this.#sources = sources;
    if (derived !== undefined) this.#values.push(derived);
  }

  /** The first value; texts that hold JSON are parsed. */
  first(): JsonValue | undefined {
    while (this.#values.length === 0 && this.#read < this.#sources.length) this.#readNext();
    return this.#values[0];
  }

  all(): readonly JsonValue[] {
    while (this.#read < this.#sources.length) this.#readNext();
    return this.#values;
  }

  /** The first attribute that holds a text, as it was written. */
  text(): string | undefined {
    for (let at = 0; at < this.#sources.length; at++) {
      if (this.#sources[at]?.tree !== undefined) continue;
      const raw = this.#rawAt(at);
      if (typeof raw === "string" && raw !== "" && !isPlaceholder(raw)) return raw;
    }
    return undefined;
  }

  #readNext(): void {
    const raw = this.#rawAt(this.#read++);
    if (typeof raw !== "string") {
      if (raw !== undefined) this.#values.push(raw);
    } else if (raw !== "" && !isPlaceholder(raw)) this.#values.push(valueIn(raw, this.#parse) ?? raw);
  }

  #rawAt(at: number): JsonValue | undefined {
    if (at < this.#raw.length) return this.#raw[at];
    for (let index = this.#raw.length; index <= at; index++) {
      const source = this.#sources[index];
      this.#raw.push(source === undefined ? undefined : rawValue(this.#view, source));
    }
    return this.#raw[at];
  }
}

/** The value of an attribute, or of the tree of indexed attributes below a prefix; texts are not parsed. */
export function rawValue(view: AttributesView, source: FieldSource): JsonValue | undefined {
  return source.tree === undefined ? valueOf(view, source) : view.tree(source.tree);
}
