import type { Template } from "../../evaluate/query/template.ts";
import { foldCase } from "../../evaluate/rules/fold-case.ts";
import { tidyText } from "./normalise.ts";

/** A text prepared for matching with many templates. */
export interface TemplateText {
  /** Normalised text in its original case, for captured values. */
  readonly tidy: string;
  readonly folded: string;
}

export function prepareText(text: string): TemplateText {
  const tidy = tidyText(text);
  return { tidy, folded: foldCase(tidy) };
}

export interface FoldedTemplate {
  readonly literals: readonly string[];
  readonly variables: readonly string[];
}

/** Placeholder for variables while a template's texts are folded together: a private-use character that texts should not contain. */
const gap = "\ue000";

export function foldTemplate({ literals, variables }: Template): FoldedTemplate {
  const joined = literals.map((literal) => literal.replaceAll(gap, "")).join(gap);
  return { literals: foldCase(tidyText(joined)).split(gap), variables };
}

/**
 * Returns the values of the variables if the whole text matches the template; otherwise undefined. A variable matches as few characters as
 * possible, at least one. Several occurrences of a variable must have equal values.
 */
export function matchTemplate(
  template: FoldedTemplate,
  { tidy, folded }: TemplateText,
): ReadonlyMap<string, string> | undefined {
  const { literals, variables } = template;
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  if (!folded.startsWith(first) || !folded.endsWith(last)) return undefined;
  const end = folded.length - last.length;
  const source = tidy.length === folded.length ? tidy : folded;
  const found = new Map<string, string>();
  let at = first.length;
  for (const [index, name] of variables.entries()) {
    const literal = literals[index + 1] ?? "";
    const stop = index === variables.length - 1 ? end : folded.indexOf(literal, at + 1);
    if (stop <= at || stop > end) return undefined;
    const value = source.slice(at, stop).trim();
    if (value === "" || (found.has(name) && foldCase(found.get(name) ?? "") !== foldCase(value)))
      return undefined;
    found.set(name, value);
    at = stop + literal.length;
  }
  return found;
}
