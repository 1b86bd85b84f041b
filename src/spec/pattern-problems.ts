import { compilePattern } from "../model/pattern.ts";
import { isTemplate, parseTemplate } from "./template.ts";
import { entryOf, type DocumentNode } from "./document/node.ts";
import { problemAt, type Problem } from "./document/problem.ts";

/** A `match.pattern` that cannot be run, whether regular expression or template. */
export function patternProblems(query: DocumentNode): Problem[] {
  const node = entryOf(entryOf(query, "match")?.node, "pattern")?.node;
  if (node?.kind !== "scalar" || typeof node.value !== "string") return [];
  if (isTemplate(node.value)) {
    const result = parseTemplate(node.value);
    return result.ok
      ? []
      : [problemAt(node.at, "spec/bad-pattern", `\`pattern\`: ${result.message}`, result.hint)];
  }
  const result = compilePattern(node.value);
  if (result.ok) return [];
  return [
    problemAt(node.at, "spec/bad-pattern", `\`pattern\`: ${result.problem.message}`, result.problem.hint),
  ];
}
