import type { CheckResult } from "../../../model/verdict.ts";

/** Returns the called judges as `model@promptHash`, each once, in alphabetical order. The hash identifies the judge's instructions. */
export function judgeProvenance(results: Iterable<CheckResult>): readonly string[] {
  const judges = new Set<string>();
  for (const { judge } of results) {
    if (judge === null) continue;
    const models = judge.votes.length > 0 ? judge.votes.map((it) => it.model) : [judge.model];
    for (const model of [...models, ...(judge.first === undefined ? [] : [judge.first.model])])
      judges.add(`${model}@${judge.promptHash}`);
  }
  return [...judges].sort();
}
