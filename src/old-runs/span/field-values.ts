import { type JsonValue, parseJson } from "../../model/json.ts";
import type { AttributesView, TextBytes } from "../../model/telemetry/span-view.ts";
import type { FieldSource } from "../layout/field-table.ts";
import { valueOf } from "../layout/field-text.ts";
import type { Histories } from "../messages/history.ts";
import { valueIn } from "../messages/unfold.ts";
import { isPlaceholder } from "../text/placeholder.ts";

const noValues: readonly JsonValue[] = [];

/** The values of one field of one set of attributes, best first. Each attribute is decoded and parsed at most once. */
export class FieldValues {
  /** Index of the field. */
  readonly field: number;
  /** The next field that was read of the same set. */
  next: FieldValues | undefined;
  readonly #view: AttributesView;
  readonly #sources: readonly FieldSource[];
  readonly #histories: Histories | undefined;
  /** Of most fields the only one. */
  #first: JsonValue | undefined;
  #values: JsonValue[] | undefined;
  /** Sources before this index were read. */
  #read = 0;
  /** The source that was decoded last: most fields have one. */
  #decoded = -1;
  #raw: JsonValue | undefined;

  /**
   * `derived`: the value that an adapter makes of several attributes.
   * @param histories the message lists of the span's trace
   */
  constructor(
    field: number,
    view: AttributesView,
    sources: readonly FieldSource[],
    derived: JsonValue | undefined,
    next: FieldValues | undefined,
    histories?: Histories,
  ) {
    this.#histories = histories;
    this.field = field;
    this.next = next;
    this.#view = view;
    this.#sources = sources;
    this.#first = derived;
  }

  /** The first value; texts that hold JSON are parsed. */
  first(): JsonValue | undefined {
    while (this.#first === undefined && this.#read < this.#sources.length) this.#readNext();
    return this.#first;
  }

  all(): readonly JsonValue[] {
    while (this.#read < this.#sources.length) this.#readNext();
    if (this.#first === undefined) return noValues;
    return (this.#values ??= [this.#first]);
  }

  #add(value: JsonValue): void {
    if (this.#first === undefined) this.#first = value;
    else if (this.#values === undefined) this.#values = [this.#first, value];
    else this.#values.push(value);
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
    const at = this.#read++;
    const source = this.#sources[at];
    if (source === undefined) return;
    const histories = this.#histories?.mayShare() === true ? this.#histories : undefined;
    const bytes = histories === undefined ? undefined : comparedBytes(this.#view, source, histories);
    const known = bytes === undefined ? undefined : histories?.continued(bytes);
    if (known !== undefined) {
      this.#add(known);
      return;
    }
    const raw = this.#rawAt(at);
    if (typeof raw !== "string") {
      if (raw !== undefined) this.#add(raw);
    } else if (raw !== "" && !isPlaceholder(raw))
      this.#add((bytes === undefined ? valueIn(raw) : retained(raw, bytes, histories)) ?? raw);
  }

  #rawAt(at: number): JsonValue | undefined {
    const source = this.#sources[at];
    if (source !== undefined && at !== this.#decoded) {
      this.#raw = rawValue(this.#view, source, this.#histories);
      this.#decoded = at;
    }
    return this.#raw;
  }
}

/** The value in a text, retained for texts that continue it. */
function retained(raw: string, bytes: TextBytes, histories: Histories | undefined): JsonValue | undefined {
  return valueIn(raw, (text) => {
    const value = parseJson(text);
    if (value !== undefined) histories?.retain(bytes, value);
    return value;
  });
}

/** The bytes of a source whose text is to be compared with earlier ones. */
function comparedBytes(
  view: AttributesView,
  source: FieldSource,
  histories: Histories,
): TextBytes | undefined {
  const bytes = bytesOf(view, source);
  return bytes !== undefined && histories.isWorthComparing(bytes) ? bytes : undefined;
}

/** The bytes of a source that is a long text. */
export function bytesOf(view: AttributesView, { key, place, tree }: FieldSource): TextBytes | undefined {
  if (tree !== undefined) return undefined;
  if (key !== undefined) return view.textBytes?.(key);
  return place === undefined ? undefined : view.textBytesAt?.(place);
}

/** The value of an attribute, or of the tree of indexed attributes below a prefix; texts are not parsed. */
export function rawValue(
  view: AttributesView,
  source: FieldSource,
  histories?: Histories,
): JsonValue | undefined {
  if (source.tree === undefined) return valueOf(view, source);
  return histories === undefined ? view.tree(source.tree) : histories.tree(view, source.tree);
}
