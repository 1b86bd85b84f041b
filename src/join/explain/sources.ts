import type { JsonValue } from "../../model/json.ts";
import type { Field } from "../../adapt/fields.ts";
import type { Piece } from "../../adapt/piece.ts";
import type { Source } from "../../model/explanation.ts";

const mostShown = 120;

export function shown(value: JsonValue | undefined): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

/** All that a piece says of a field, best first: its attributes, then those of its events and log records. */
export function sourcesOf(piece: Piece, field: Field): (Source & { readonly raw: JsonValue })[] {
  return [piece.reading, ...piece.attached.readings].flatMap((reading, at) =>
    reading.sourcesOf(field).map(({ attribute, value }) => ({
      ...place(piece),
      attribute: at === 0 || attribute === null ? attribute : `event: ${attribute}`,
      dialect: attribute === null ? (dialectsOf(piece)[0] ?? null) : dialectOf(piece, field, attribute),
      value: shown(value),
      raw: value,
    })),
  );
}

/** The span itself, as the source of `value`. */
export function spanSource(piece: Piece, value: JsonValue): Source {
  return { ...place(piece), attribute: null, dialect: dialectsOf(piece)[0] ?? null, value: shown(value) };
}

/** A source without what was only needed to weigh it. */
export function bare({ spanId, traceId, span, attribute, dialect, value }: Source): Source {
  return { spanId, traceId, span, attribute, dialect, value };
}

function place({ span }: Piece): Pick<Source, "spanId" | "traceId" | "span"> {
  return { spanId: span.spanId, traceId: span.traceId, span: span.name };
}

function dialectsOf(piece: Piece): readonly string[] {
  return piece.reading.dialects.adapters.map(({ dialect }) => dialect);
}

/** The dialect that declares the attribute, one that marks the span before others. */
function dialectOf(piece: Piece, field: Field, attribute: string): string | null {
  const declares = ({ fields }: { fields?: Partial<Record<Field, readonly string[]>> }): boolean =>
    fields?.[field]?.some((name) => name === attribute || name.startsWith(attribute.replace(/\*$/, "*."))) ===
    true;
  const marked = piece.reading.dialects.adapters.find(declares);
  return (marked ?? piece.reading.table.adapters.find(declares))?.dialect ?? null;
}
