import type { PassedOver, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { precedence, type PrecedenceNumber } from "../precedences.ts";

const MOST_SHOWN = 120;

export function shown(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** A source with its value. */
export interface RawSource extends Source {
  readonly raw: JsonValue;
  /** No adapter declares the attribute. */
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

/** The span itself, as the source of `value`. */
export function spanSource(node: SpanFacts, value: JsonValue, attribute: string | null = null): Source {
  return { ...placeOf(node), attribute, dialect: dialectsOf(node)[0] ?? null, value: shown(value) };
}

/** A source without the fields used only for ranking. */
export function bare({ spanId, traceId, span, attribute, dialect, value }: Source): Source {
  return { spanId, traceId, span, attribute, dialect, value };
}

/** A rejected source. `rule`: the precedence that chose another one. */
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

/** The dialect that declares the attribute, preferably one of the span's; null for none. */
function dialectDeclaring(node: SpanFacts, field: Field, attribute: string): string | null {
  const isIt = (name: string): boolean =>
    name === attribute || name.startsWith(attribute.replace(/\*$/, "*."));
  for (const adapters of [node.dialects.adapters, node.plan.table.adapters])
    for (const { dialect, fields, events = [] } of adapters)
      if ([fields, ...events.map((rule) => rule.fields)].some((table) => table?.[field]?.some(isIt) === true))
        return dialect;
  return null;
}
