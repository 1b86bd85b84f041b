import type { Field } from "../../../adapters/field-names.ts";
import type { Explanation, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type PrecedenceNumber } from "../precedences.ts";
import { bare, passed, shown, sourcesOf } from "./sources.ts";

/** A possible source of a fact, with its text. */
export interface Candidate extends Source {
  readonly text: string;
  readonly isInferred: boolean;
}

/** Texts of a span's fields, parsed by `read`; a text without a result counts unchanged. */
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

/** Each text of an attribute once. */
export function distinct(candidates: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>();
  return candidates.filter(({ attribute, text }) => seen.size < seen.add(`${attribute ?? ""}\n${text}`).size);
}

export function holdsText(whole: string, part: string): boolean {
  return whole.includes(part) || withSingleSpaces(whole).includes(withSingleSpaces(part));
}

/** Separates candidates with the fact's value from those with another value. `rule` decides between the two. */
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
  return {
    fact,
    value: value === null ? null : shown(value),
    from: near.map(bare),
    passedOver: candidates
      .filter((one) => !near.includes(one))
      .map((one) => passed(one, why(one), one.isInferred && isFromDeclared ? 1 : rule)),
    note: null,
    precedence: null,
  };
}
