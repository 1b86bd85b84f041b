import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";
import { isTemplate, parseTemplate } from "../../evaluate/query/template.ts";
import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import type { Captures } from "../hit.ts";
import { foldTemplate, matchTemplate, prepareText } from "./template-match.ts";

const none: Captures = new Map();
const reader = derivedOnce(({ match }: CompiledQuery) => readerOf(match.pattern));

/** Returns the captured texts of the query's pattern, even if the run matched at another level. Empty if the pattern does not match. */
export function capturesOf(query: CompiledQuery, text: string | null): Captures {
  if (text === null) return none;
  return reader(query)(text) ?? none;
}

function readerOf(pattern: string | undefined): (text: string) => Captures | undefined {
  if (pattern === undefined) return () => undefined;
  if (isTemplate(pattern)) {
    const parsed = parseTemplate(pattern);
    if (!parsed.ok) return () => undefined;
    const template = foldTemplate(parsed.template);
    return (text) => matchTemplate(template, prepareText(text));
  }
  const compiled = compilePattern(pattern);
  return compiled.ok ? (text) => compiled.pattern.groups(text) : () => undefined;
}
