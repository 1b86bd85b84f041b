import type { Field } from "../../../adapters/field-names.ts";
import type { Explanation, Source } from "../../model/explanation.ts";
import type { JsonValue } from "../../model/json.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type PrecedenceNumber } from "../precedences.ts";
import { bare, passed, shown, sourcesOf } from "./sources.ts";

/** A source that may hold a fact, and the text that it holds. */
export interface Candidate extends Source {
  readonly text: string;
  readonly isInferred: boolean;
}

/** The texts that a span's fields hold, read by `read`; a text in which it finds nothing counts as it is. */
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

/** Parts the candidates into those that hold the fact's value and those that hold something else. `rule`: decides between the two. */
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
