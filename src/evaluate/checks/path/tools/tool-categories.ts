import { z } from "zod";
import { namedRecord } from "../../../../support/structures/named-record.ts";
import { type CheckContext, defineCheck, defineQualifier } from "../../check.ts";
import { pass, violated } from "../../../result/finding.ts";
import { foldName } from "../../../rules/fold-name.ts";
import { reason, together } from "../../../result/reasons.ts";
import { listed } from "../../../rules/text.ts";
import { allToolSpans, toolsHidden } from "./tool-evidence.ts";

/** EvalView's eight tool categories and their tools. `bash` is in every category except `web`. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  file_read: ["read_file", "bash", "text_editor", "cat", "view", "str_replace_editor"],
  file_write: ["write_file", "bash", "text_editor", "edit_file", "create_file"],
  file_list: ["list_directory", "bash", "ls", "find", "directory_tree"],
  search: ["grep", "ripgrep", "bash", "search_files", "code_search"],
  shell: ["bash", "shell", "terminal", "execute", "run_command"],
  web: ["web_search", "browse", "fetch_url", "http_request", "curl"],
  git: ["git", "bash", "git_commit", "git_push", "github"],
  python: ["python", "bash", "python_repl", "execute_python", "jupyter"],
};

const defaultCategories: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(defaults));

/** Returns the tools of a category: the built-in ones, and those of `tool_categories`. */
export function toolsOfCategory(context: CheckContext, category: string): readonly string[] {
  const own = context.settings["tool_categories"];
  const added: unknown =
    typeof own === "object" && own !== null && Object.hasOwn(own, category)
      ? (own as Record<string, unknown>)[category]
      : undefined;
  return [...(defaultCategories.get(category) ?? []), ...(Array.isArray(added) ? (added as string[]) : [])];
}

/** Check for EvalView's tool categories. Names of tools match without case and separators. */
export const expectedToolCategories = defineCheck({
  key: "expected_tool_categories",
  layer: "path",
  metric: "tool_category_recall",
  summary: "At least one tool of each listed category was called.",
  details:
    "Built in: `file_read`, `file_write`, `file_list`, `search`, `shell`, `web`, `git` and `python`; `tool_categories` defines further categories, or adds tools to the built-in categories. Names of tools are compared as in `expected_handoff`. If `bash` is the only called tool of a category, the category counts, but the message warns that a call of `bash` proves little. The result's `value` is the share of the listed categories with a call.",
  limit: z.array(z.string().min(1)).min(1),
  evaluate(context, limit) {
    const called = calledNames(context);
    const absent: string[] = [];
    const byShell: string[] = [];
    for (const category of limit) {
      const hit = toolsOfCategory(context, category).filter((tool) => called.has(foldName(tool)));
      if (hit.length === 0) absent.push(category);
      else if (hit.every((tool) => foldName(tool) === "bash")) byShell.push(category);
    }
    const value = (limit.length - absent.length) / limit.length;
    if (absent.length === 0) return pass(value, `every category was used${throughShell(byShell)}`);
    if (context.metrics.toolsMissing !== undefined) return toolsHidden(context);
    const wanted = absent.map((category) => describe(context, category));
    const message = `no call of a tool in ${wanted.length === 1 ? "the category" : "the categories"} ${listed(wanted)}${throughShell(byShell)}`;
    const reasons = absent.map((category) => reason("CATEGORY_NOT_SATISFIED", { expected: category }));
    return violated(value, message, { ...allToolSpans(context), reasons: together(reasons) });
  },
});

/** Modifies `expected_tool_categories`: defines categories, or adds tools to the built-in category of the same name. */
export const toolCategories = defineQualifier({
  key: "tool_categories",
  summary:
    "The project's tool categories: name → tools. If a built-in category has the same name, the tools are added to its tools.",
  details: "`tool_categories` in the configuration apply to all specs.",
  limit: namedRecord(z.string(), z.array(z.string().min(1))),
  needs: ["expected_tool_categories"],
});

function calledNames(context: CheckContext): ReadonlySet<string> {
  const called = new Set<string>();
  for (const name of context.metrics.toolNames) if (name !== null) called.add(foldName(name));
  return called;
}

function describe(context: CheckContext, category: string): string {
  const tools = toolsOfCategory(context, category);
  return tools.length === 0 ? `${category} (an unknown category)` : `${category} (${tools.join(", ")})`;
}

function throughShell(categories: readonly string[]): string {
  return categories.length === 0
    ? ""
    : `; for ${listed(categories)}, only bash was called, which proves little`;
}
