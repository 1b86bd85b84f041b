import { z } from "zod";
import { defineCheck } from "../../check.ts";
import { known, pass, spanIdsOf, violated } from "../../../result/finding.ts";
import { foldName, SEPARATORS, visibleName } from "../../../rules/fold-name.ts";
import { reason, together } from "../../../result/reasons.ts";
import { listed } from "../../../rules/text.ts";
import { spansOf, toolsHidden } from "./tool-evidence.ts";

/**
 * Matches a character that the comparison of names does not ignore, such as a letter. A forbidden name must contain at least one of these
 * characters.
 */
const named = new RegExp(`[^${SEPARATORS}]`, "u");

/** As in EvalView, names of tools match without case and separators. */
export const forbiddenTools = defineCheck({
  key: "forbidden_tools",
  layer: "path",
  summary: "None of the listed tools was called. A call fails the run, whatever `severity` is.",
  details:
    "`EditFile`, `edit-file` and `edit_file` are one name: case, blanks, dashes, `_`, `.`, `:`, `/` and invisible characters make no difference. `mcp__server__tool` is compared as `tool`. Hand-off functions count as tools. The result's `value` lists each called forbidden tool once.",
  limit: z.array(
    z
      .string()
      .regex(named, "a name that is not only separators")
      .regex(/^[^*]*$/, "a whole name: `*` is not a wildcard here"),
  ),
  undoable: false,
  onViolation: "fail",
  hard: true,
  prepare(limit) {
    const isForbidden = forbiddenTest(limit);
    const clean = known(pass([], "no forbidden tool was called"));
    return (context) => {
      const names = context.metrics.toolNames;
      const { handoffs } = context.run;
      const handedOver = handoffs.filter(({ tool }) => isForbidden(tool));
      if (names.some(isForbidden) || handedOver.length > 0) {
        const called = distinct([
          ...names.filter(isForbidden),
          ...handedOver.map(({ tool }) => tool ?? null),
        ]);
        const [were, are] = called.length === 1 ? ["was", "is"] : ["were", "are"];
        const message = `${listed(called)} ${were} called and ${are} forbidden`;
        const spanIds = [...spansOf(context, (at) => isForbidden(names[at])), ...spanIdsOf(handedOver)];
        const reasons = called.map((name) =>
          reason("TOOL_FORBIDDEN", { step: stepOf(name, names), actual: name }),
        );
        return violated(called, message, { spanIds, reasons: together(reasons) });
      }
      const hidden = context.metrics.toolsMissing !== undefined && limit.length > 0;
      return hidden ? toolsHidden(context) : clean;
    };
  },
});

/** Returns a function that is true for a forbidden name, also in another spelling or with the name of an MCP server. */
export function forbiddenTest(names: readonly string[]): (name: string | null | undefined) => boolean {
  const forbidden = new Set(names.flatMap((name) => [name, withoutServer(name)]).map(foldName));
  return (name) =>
    typeof name === "string" &&
    (forbidden.has(foldName(name)) || forbidden.has(foldName(withoutServer(name))));
}

/** Returns a tool's name without the MCP server's name, which some clients prepend: `mcp__store__get_stock` becomes `get_stock`. */
function withoutServer(name: string): string {
  return /^mcp__.+?__(.+)$/.exec(name)?.[1] ?? name;
}

/** Returns the position of a tool's first call, from 1; null for a hand-off function, which is not a tool step. */
function stepOf(name: string, names: readonly (string | null)[]): number | null {
  const at = names.indexOf(name);
  return at === -1 ? null : at + 1;
}

/** Returns each tool once, in its first spelling. Spellings that differ in case and separators are the same tool. */
function distinct(names: readonly (string | null)[]): readonly string[] {
  const seen = new Map<string, string>();
  for (const name of names)
    if (name !== null && !seen.has(foldName(name))) seen.set(foldName(name), visibleName(name));
  return [...seen.values()];
}
