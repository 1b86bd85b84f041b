import type { JsonValue } from "../src/model/json.ts";
import type { EventView, SpanView } from "../src/model/telemetry/span-view.ts";
import type { Field } from "./field-names.ts";
import type { Producer } from "./producer-type.ts";
import type { SpanRole } from "./span-roles.ts";

/**
 * Export of `adapters/<dialect>/adapter.ts`. An adapter is a table of a dialect's attributes and their meanings, with functions only for
 * the rest. `fields` uses the names of `field-names.ts`, `roles` those of `span-roles.ts`. The tables of all adapters are merged, so a span
 * with several dialects is read once, field by field.
 */
export interface Adapter {
  /** Instrumentations that write the dialect, for `doctor`. */
  readonly producers?: readonly Producer[];
  /** The dialect's name as shown to people, such as `openinference`. */
  readonly dialect: string;
  /** Attributes that only this dialect writes: one of them on a span marks it. */
  readonly markers?: readonly string[];
  /** Instrumentation scopes that mark a span; a name ending in `*` is a prefix. */
  readonly scopes?: readonly string[];
  /** Attribute → value → role; values are compared in lower case. Of several attributes the adapter listed first in `adapters/index.ts` decides. */
  readonly roles?: Readonly<Record<string, Readonly<Record<string, SpanRole>>>>;
  /**
   * Attributes that hold a field (a name of `field-names.ts`), best first. `prefix.*.rest` are indexed keys (`prefix.0.rest`, `prefix.1.rest`, …), read
   * as one list.
   */
  readonly fields?: Partial<Record<Field, readonly string[]>>;
  /** Names of marked spans, for spans whose attributes do not tell their role. */
  readonly names?: readonly NameRule[];
  /** Span events and log records that say something about their span in attributes of their own. */
  readonly events?: readonly EventRule[];
  /** How the names of marked tools' spans begin that only show what other such spans show. */
  readonly copies?: readonly string[];
  /** The last word on a marked span's role, after all tables; return `role` to leave it. */
  readonly role?: (span: SpanFacts, role: SpanRole) => SpanRole;
  /** Fields of marked spans that no attribute holds, or that must be taken apart first. Asked before the tables. */
  readonly derive?: Partial<Record<Field, (span: SpanFacts) => JsonValue | undefined>>;
  /** An agent of this framework whose span has no model call of its own only orders the agents within: it hands over nothing. */
  readonly onlyOrders?: true;
  /** How this framework wraps the user's words in its first message; the first group is the plain query. */
  readonly wrappedQuery?: readonly RegExp[];
  /** Token counts that this producer leaves out of the input or output count of a call. */
  readonly apart?: (span: SpanFacts) => { readonly cached?: boolean; readonly reasoning?: boolean };
  /**
   * Whether the usage of each model call below the span may include that of the calls before it; undefined where the span does not say.
   */
  readonly cumulative?: (span: SpanFacts) => boolean | undefined;
}

export interface NameRule {
  readonly pattern: RegExp;
  readonly role: SpanRole;
  /** Nobody else names spans so: the rule holds for spans without any mark, too. */
  readonly own?: true;
}

export interface EventRule {
  /** The event's name, or the start of a log record's body where that is the name. */
  readonly name: string;
  /** Fields read from the event's attributes, like `Adapter.fields`. */
  readonly fields?: Partial<Record<Field, readonly string[]>>;
  /** The field that a log record's body holds. */
  readonly body?: Field;
}

/** One span as adapters see it. */
export interface SpanFacts {
  readonly span: SpanView;
  /** The beginning of an attribute's text, at least 128 characters of it: enough to tell what it is. */
  head(attribute: string): string | undefined;
  /** True when one of the field's attributes is there. */
  has(field: Field): boolean;
  /** First value that is text and no placeholder. */
  text(field: Field): string | undefined;
  number(field: Field): number | undefined;
  boolean(field: Field): boolean | undefined;
  /** First value, texts that hold JSON parsed. */
  json(field: Field): JsonValue | undefined;
}

export { parseJson } from "../src/model/json.ts";
export type { EventView, Field, JsonValue, SpanRole, SpanView };
