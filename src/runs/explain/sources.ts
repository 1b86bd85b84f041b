import type { Explanation, PassedOver, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { holdsText } from "../continuation/produced-texts.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { precedence, type PrecedenceNumber } from "./precedences.ts";

const MOST_SHOWN = 120;

export function shown(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

export interface RawSource extends Source {
  readonly raw: JsonValue;
  /** Whether the attribute's meaning is inferred, because no adapter declares the attribute. */
  readonly isInferred: boolean;
}

/** All sources of a field in a span, best first: its attributes, then its events and log records. */
export function sourcesOf(node: SpanFacts, field: Field): RawSource[] {
  return node.sourcesOf(field).map(({ attribute, origin, value }) => ({
    ...placeOf(node),
    attribute: origin === "added" && attribute !== null ? `event: ${attribute}` : attribute,
    dialect: attribute === null ? (dialectsOf(node)[0] ?? null) : dialectDeclaring(node, field, attribute),
    value: shown(value),
    raw: value,
    isInferred: origin === "inferred",
  }));
}

/** Returns the span itself as the source of `value`, without an attribute. */
export function spanSource(node: SpanFacts, value: JsonValue, attribute: string | null = null): Source {
  return { ...placeOf(node), attribute, dialect: dialectsOf(node)[0] ?? null, value: shown(value) };
}

/** Returns a source with only the fields to show, without the fields for ranking. */
function bare({ spanId, traceId, span, attribute, dialect, value }: Source): Source {
  return { spanId, traceId, span, attribute, dialect, value };
}

/** Explains a fact by its sources. `rule`: the rule of precedence that decided. */
export function explained(
  fact: string,
  value: string | number | null,
  from: readonly Source[],
  { passedOver = [], note = null, rule = null }: Reasons = {},
): Explanation {
  return {
    fact,
    value: value === null ? null : String(value),
    from: from.map(bare),
    passedOver,
    note,
    precedence: rule === null ? null : precedence(rule),
  };
}

interface Reasons {
  readonly passedOver?: PassedOver[];
  readonly note?: string | null;
  readonly rule?: PrecedenceNumber | null;
}

/** A rejected source. `rule`: the rule of precedence that chose another source. */
export function passed(source: Source, why: string, rule: PrecedenceNumber | null = null): PassedOver {
  return { ...bare(source), why, precedence: rule === null ? null : precedence(rule) };
}

/** The spans of a call, innermost first. */
export function spansOf(call: LlmCall | null | undefined): SpanFacts[] {
  return call === null || call === undefined ? [] : [call.node, ...call.around];
}

function placeOf({ span }: SpanFacts): Pick<Source, "spanId" | "traceId" | "span"> {
  return { spanId: span.spanId, traceId: span.traceId, span: span.name };
}

function dialectsOf({ dialects }: SpanFacts): readonly string[] {
  return dialects.adapters.map(({ dialect }) => dialect);
}

/** The dialect that declares the attribute, preferably a dialect of the span; null if there is none. */
function dialectDeclaring(node: SpanFacts, field: Field, attribute: string): string | null {
  const isIt = (name: string): boolean =>
    name === attribute || name.startsWith(attribute.replace(/\*$/, "*."));
  for (const adapters of [node.dialects.adapters, node.plan.table.adapters])
    for (const { dialect, fields, events = [] } of adapters)
      if ([fields, ...events.map((rule) => rule.fields)].some((table) => table?.[field]?.some(isIt) === true))
        return dialect;
  return null;
}

/** A possible source of a fact, with its text. */
export interface Candidate extends Source {
  readonly text: string;
  readonly isInferred: boolean;
}

/** Returns the texts of a span's fields, parsed by `read`. If `read` returns null for a text, the text is returned unchanged. */
export function textsIn(
  node: SpanFacts,
  fields: readonly Field[],
  read: (value: JsonValue) => string | null,
): Candidate[] {
  const found = fields.flatMap((field) =>
    sourcesOf(node, field).flatMap(({ raw, ...source }): Candidate[] => {
      const text = read(raw) ?? (typeof raw === "string" ? raw : null);
      return text === null ? [] : [{ ...source, value: shown(text), text }];
    }),
  );
  return distinct(found);
}

export function namesIn(node: SpanFacts, fields: readonly Field[]): Candidate[] {
  return textsIn(node, fields, () => null);
}

/** Returns each text of an attribute once. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ attribute, text }) => seen.size < seen.add(`${attribute ?? ""}\n${text}`).size);
}

/**
 * Separates candidates whose text is the fact's value from those with another text, which are rejected. `rule`: the rule of precedence that
 * prefers the fact's value.
 */
export function chosen(
  fact: string,
  value: string | null,
  candidates: readonly Candidate[],
  why: (candidate: Candidate) => string,
  rule: PrecedenceNumber | null = null,
): Explanation {
  const agrees = candidates.filter(({ text }) => text === value);
  const near =
    value === null || agrees.length > 0 ? agrees : candidates.filter(({ text }) => holdsText(text, value));
  const isFromDeclared = near.some(({ isInferred }) => !isInferred);
  const passedOver = candidates
    .filter((one) => !near.includes(one))
    .map((one) => passed(one, why(one), one.isInferred && isFromDeclared ? 1 : rule));
  return explained(fact, value === null ? null : shown(value), near, { passedOver });
}
