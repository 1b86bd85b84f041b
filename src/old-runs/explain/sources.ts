import type { JsonValue } from "../../model/json.ts";
import type { Field } from "../../../adapters/field-names.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Source } from "../../model/explanation.ts";

const mostShown = 120;

export function shown(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

/** All that a node says of a field, best first: its attributes, then those of its events and log records. */
export function sourcesOf(node: SpanNode, field: Field): (Source & { readonly raw: JsonValue })[] {
  return [node.reading, ...node.attached.readings].flatMap((reading, at) =>
    reading.sourcesOf(field).map(({ attribute, value }) => ({
      ...place(node),
      attribute: at === 0 || attribute === null ? attribute : `event: ${attribute}`,
      dialect: attribute === null ? (dialectsOf(node)[0] ?? null) : dialectOf(node, field, attribute),
      value: shown(value),
      raw: value,
    })),
  );
}

/** The span itself, as the source of `value`. */
export function spanSource(node: SpanNode, value: JsonValue): Source {
  return { ...place(node), attribute: null, dialect: dialectsOf(node)[0] ?? null, value: shown(value) };
}

/** A source without what was only needed to weigh it. */
export function bare({ spanId, traceId, span, attribute, dialect, value }: Source): Source {
  return { spanId, traceId, span, attribute, dialect, value };
}

function place({ span }: SpanNode): Pick<Source, "spanId" | "traceId" | "span"> {
  return { spanId: span.spanId, traceId: span.traceId, span: span.name };
}

function dialectsOf(node: SpanNode): readonly string[] {
  return node.reading.dialects.adapters.map(({ dialect }) => dialect);
}

/** The dialect that declares the attribute, one that marks the span before others. */
function dialectOf(node: SpanNode, field: Field, attribute: string): string | null {
  const declares = ({ fields }: { fields?: Partial<Record<Field, readonly string[]>> }): boolean =>
    fields?.[field]?.some((name) => name === attribute || name.startsWith(attribute.replace(/\*$/, "*."))) ===
    true;
  const marked = node.reading.dialects.adapters.find(declares);
  return (marked ?? node.reading.table.adapters.find(declares))?.dialect ?? null;
}
