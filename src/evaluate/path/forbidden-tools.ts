import { z } from "zod";
import { defineCheck } from "../check.ts";
import { pass, violated } from "../finding.ts";
import { foldName } from "../fold-name.ts";
import { listed } from "../text.ts";
import { spansOf, toolsHidden } from "./tool-evidence.ts";

const folded = new WeakMap<readonly string[], ReadonlySet<string>>();

function foldAll(names: readonly string[]): ReadonlySet<string> {
  let set = folded.get(names);
  if (set === undefined) folded.set(names, (set = new Set(names.map(foldName))));
  return set;
}

/**
 * None of these tools was called. Names compare without case and separators (EvalView), a tool counts once however often it was
 * called, and a hit fails the run whatever `severity:` says.
 */
export const forbiddenTools = defineCheck({
  key: "forbidden_tools",
  layer: "path",
  metric: "forbidden_tools",
  summary: "None of these tools was called (EditFile = edit-file = edit_file); a hit always fails the run.",
  limit: z.array(z.string()),
  undoable: false,
  onViolation: "fail",
  hard: true,
  evaluate(context, limit) {
    const forbidden = foldAll(limit);
    const names = context.metrics.toolNames;
    const isForbidden = (at: number): boolean => {
      const name = names[at];
      return typeof name === "string" && forbidden.has(foldName(name));
    };
    let hit = false;
    for (let at = 0; at < names.length && !hit; at++) hit = isForbidden(at);
    if (hit) {
      const called = distinct(names.filter((_, at) => isForbidden(at)));
      return violated(
        called,
        `${listed(called)} ${called.length === 1 ? "was" : "were"} called and forbidden`,
        spansOf(context, isForbidden),
      );
    }
    if (context.metrics.toolsMissing !== undefined && limit.length > 0) return toolsHidden(context);
    return pass([], "no forbidden tool was called");
  },
});

/** Each tool once, in the first spelling that occurred. */
function distinct(names: readonly (string | null)[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const name of names) if (name !== null && !seen.has(foldName(name))) seen.set(foldName(name), name);
  return [...seen.values()];
}
