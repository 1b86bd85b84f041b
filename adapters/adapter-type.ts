import type { JsonValue } from "../src/model/json.ts";
import type { EventView, SpanView } from "../src/model/telemetry/span-view.ts";
import type { Field } from "./field-names.ts";
import type { Producer } from "./producer-type.ts";
import type { SpanRole } from "./span-roles.ts";

/**
 * Export of `adapters/<dialect>/adapter.ts`. An adapter is a table of a dialect's attributes and their meanings, with
 * functions for what a table cannot express. `fields` uses the names in `field-names.ts`; `roles` uses the names in
 * `span-roles.ts`. The tables of all adapters are merged, so a span with several dialects is read once, field by field.
 */
export interface Adapter {
  /** Instrumentations that write the dialect, for `doctor`. */
  readonly producers?: readonly Producer[];
  /** The dialect's name as shown to people, such as `openinference`. */
  readonly dialect: string;
  /** Attributes that only this dialect writes. A span with one of them is a marked span: it belongs to the dialect. */
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
  /** Span events and log records whose attributes describe their span. */
  readonly events?: readonly EventRule[];
  /**
   * Whether `events` contains each event of the scopes that describes the agent's work. Other events describe the program itself, such as a
   * deletion of old files, and no field is inferred from them.
   */
  readonly declaresAllEvents?: true;
  /** Prefixes of names of marked tool spans that only duplicate other tool spans. */
  readonly copies?: readonly string[];
  /**
   * Corrects the role of a span of this dialect, after `roles`, `names` and the span's content. Returns `role` to leave the role unchanged.
   */
  readonly role?: (span: SpanFacts, role: SpanRole) => SpanRole;
  /** Fields of marked spans that are computed from attributes. A computed value takes precedence over the tables. */
  readonly derive?: Partial<Record<Field, (span: SpanFacts) => JsonValue | undefined>>;
  /**
   * Whether, in this framework, an agent span without its own model call only runs the agents within the span. An agent
   * that only runs other agents does not hand over.
   */
  readonly onlyOrders?: true;
  /**
   * Whether the instrumentation keeps its spans in traces of its own. If a framework records its runs, too, another trace shows the same
   * run.
   */
  readonly isIsolated?: true;
  /** Patterns of the framework's text around the user's query. The first group is the plain query. */
  readonly wrappedQuery?: readonly RegExp[];
  /** Token counts that this producer excludes from the input or output count of a call. `isEstimate`: the producer estimates the input. */
  readonly apart?: (span: SpanFacts) => {
    readonly cached?: boolean;
    readonly reasoning?: boolean;
    readonly isEstimate?: boolean;
  };
  /**
   * Whether the usage of each model call below the span may include the usage of earlier calls; undefined if the span does not show this.
   */
  readonly cumulative?: (span: SpanFacts) => boolean | undefined;
}

export interface NameRule {
  readonly pattern: RegExp;
  readonly role: SpanRole;
  /** Whether no other producer uses this span name, so that the rule also applies to unmarked spans. */
  readonly own?: true;
}

export interface EventRule {
  /** Name of the event. For some log records, the name is the start of the body. */
  readonly name: string;
  /** Fields read from the event's attributes, like `Adapter.fields`. */
  readonly fields?: Partial<Record<Field, readonly string[]>>;
  /** The field that the body of a log record contains. */
  readonly body?: Field;
}

/** One span as adapters see it. */
export interface SpanFacts {
  readonly span: SpanView;
  /** Beginning of an attribute's text, to recognise its format: the text, or about its first 256 bytes. Undefined for other values. */
  head(attribute: string): string | undefined;
  /** True if an attribute or event of the span contains the field, whatever its value. Computed fields (`derive`) do not count. */
  has(field: Field): boolean;
  /** First value that is a text and not a placeholder. */
  text(field: Field): string | undefined;
  number(field: Field): number | undefined;
  boolean(field: Field): boolean | undefined;
  /** First value of the field. A text with JSON is parsed. */
  json(field: Field): JsonValue | undefined;
}

export { parseJson } from "../src/model/json.ts";
export type { EventView, Field, JsonValue, SpanRole, SpanView };
