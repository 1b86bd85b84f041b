import type { JsonValue } from "../src/model/json.ts";
import type { EventView, SpanView } from "../src/model/telemetry/span-view.ts";
import type { Field } from "./field-names.ts";
import type { Producer } from "./producer-type.ts";
import type { SpanRole } from "./span-roles.ts";

/**
 * Export of `adapters/<dialect>/adapter.ts`. An adapter is a table of a dialect's attributes and their meanings, with functions for what a
 * table cannot express. `fields` uses the names in `field-names.ts`; `roles` uses the names in `span-roles.ts`. The tables of all adapters
 * are merged. A span that has attributes of several dialects is therefore read once, field by field.
 */
export interface Adapter {
  /** Instrumentations that write the dialect. The command `doctor` uses these descriptions. */
  readonly producers?: readonly Producer[];
  /** The dialect's name for users, such as `openinference`. */
  readonly dialect: string;
  /** Attributes that only this dialect writes. A span with one of these attributes is a *marked* span, and belongs to the dialect. */
  readonly markers?: readonly string[];
  /** Instrumentation scopes that mark a span; a name ending in `*` is a prefix. */
  readonly scopes?: readonly string[];
  /**
   * Role of a span by attribute and value. A value is compared as sent, then in lower case. If several attributes give a role, the adapter
   * that is first in `adapters/index.ts` decides.
   */
  readonly roles?: Readonly<Record<string, Readonly<Record<string, SpanRole>>>>;
  /**
   * Attributes that contain a field (a name of `field-names.ts`), best first. `prefix.*.rest` are indexed keys (`prefix.0.rest`,
   * `prefix.1.rest`, …), read as one list.
   */
  readonly fields?: Partial<Record<Field, readonly string[]>>;
  /** Roles by span name, for marked spans whose attributes do not determine the role. */
  readonly names?: readonly NameRule[];
  /** Span events and log records whose attributes give facts about the span to which the event or record belongs. */
  readonly events?: readonly EventRule[];
  /**
   * Whether `events` lists all events, in the adapter's `scopes`, that describe the agent's work. All other events describe the program
   * itself, such as a deletion of old files, and no field is inferred from them.
   */
  readonly declaresAllEvents?: true;
  /** Prefixes of span names. A marked tool span whose name begins with one of them only duplicates other tool spans. */
  readonly copies?: readonly string[];
  /**
   * Corrects the role of a span of this dialect. Called with the role that `roles`, `names` or the span's content gave; returns this role
   * to leave it unchanged.
   */
  readonly role?: (span: SpanFacts, role: SpanRole) => SpanRole;
  /** Fields of marked spans that are computed from attributes. A computed value takes precedence over `fields`. */
  readonly derive?: Partial<Record<Field, (span: SpanFacts) => JsonValue | undefined>>;
  /**
   * Whether, in this framework, an agent span without its own model call only runs the agents within the span. Such an agent does not hand
   * over.
   */
  readonly onlyOrders?: true;
  /**
   * Whether the instrumentation puts its spans into separate traces. If a framework also records its own runs, another trace shows the same
   * run.
   */
  readonly isIsolated?: true;
  /** Whether one model call can have several spans, such as one for each part of the answer. Their number is no number of calls. */
  readonly inParts?: true;
  /** Patterns of the text that the framework adds around the user's query. The first group of a pattern is the query alone. */
  readonly wrappedQuery?: readonly RegExp[];
  /**
   * Token counts that this producer excludes from the input or output count of a call. `isEstimate`: the producer does not know the input
   * count, and estimates it.
   */
  readonly apart?: (span: SpanFacts) => {
    readonly cached?: boolean;
    readonly reasoning?: boolean;
    readonly isEstimate?: boolean;
  };
  /**
   * Whether the usage of each model call below this span may include the usage of earlier calls; undefined if this span does not show it.
   */
  readonly cumulative?: (span: SpanFacts) => boolean | undefined;
}

export interface NameRule {
  readonly pattern: RegExp;
  readonly role: SpanRole;
  /** Whether no other producer uses such span names. The rule then also applies to unmarked spans. */
  readonly own?: true;
}

export interface EventRule {
  /** Name of the event or log record. For a log record without a name, it is the beginning of the body. */
  readonly name: string;
  /** Fields read from the event's attributes, like `Adapter.fields`. */
  readonly fields?: Partial<Record<Field, readonly string[]>>;
  /** The field that the body of a log record contains. */
  readonly body?: Field;
}

/** One span as adapters see it. */
export interface SpanFacts {
  readonly span: SpanView;
  /**
   * Returns the beginning of an attribute's text, to recognise its format: the complete text, or about its first 256 bytes. Undefined for
   * other values.
   */
  head(attribute: string): string | undefined;
  /** Whether an attribute or event of the span contains the field, even with an empty value. Computed fields (`derive`) do not count. */
  has(field: Field): boolean;
  /** Returns the first value of the field that is a text and not a placeholder; undefined if there is none. */
  text(field: Field): string | undefined;
  number(field: Field): number | undefined;
  boolean(field: Field): boolean | undefined;
  /** Returns the first value of the field; undefined if there is none. A text that is JSON is parsed. */
  json(field: Field): JsonValue | undefined;
}

export { parseJson } from "../src/model/json.ts";
export type { EventView, Field, JsonValue, SpanRole, SpanView };
