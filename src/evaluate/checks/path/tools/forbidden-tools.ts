import { z } from "zod";
import { defineCheck } from "../../check.ts";
import { incomplete, known, pass, spanIdsOf, violated } from "../../../result/finding.ts";
import { foldName, SEPARATORS, visibleName } from "../../../rules/fold-name.ts";
import { remembered } from "../../../../support/structures/bounded-memo.ts";
import { reason, together } from "../../../result/reasons.ts";
import { listed, short } from "../../../rules/text.ts";
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
    "`EditFile`, `edit-file` and `edit_file` are one name: case, blanks, dashes, `_`, `.`, `:`, `/` and invisible characters make no difference. A name without its server counts too: `tool` forbids `mcp__server__tool`, `mcp_server_tool`, `server__tool`, `server.tool`, `server/tool`, `server:tool`, and, if it contains `_`, `server-tool`. If another name only ends with a forbidden name, as `server_tool` does, the message names it. The check is `incomplete` if the name of an MCP server has no marked end: for a called `mcp__servertool`, as some versions of Codex write it, and for a called `tool` if `mcp_server_tool` is forbidden. Hand-off functions count as tools (`incomplete` if a hand-off's function is unknown and a forbidden name contains the name of the target agent), and so does a tool through which another one was called, such as `call_mcp_tool`. A tool that the model called through another one, as `call_mcp_tool` calls tools of servers, counts under its own name only. A requested call counts if it is unknown whether it ran. The result's `value` lists each called forbidden tool once.",
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
    const endsWithForbidden = suffixTest(limit);
    const mayBeForbidden = unmarkedTest(limit);
    const namesTarget = targetTest(limit);
    const clean = known(pass([], "no forbidden tool was called"));
    return (context) => {
      const names = context.metrics.toolNames;
      const { handoffs } = context.run;
      const handedOver = handoffs.filter(({ tool }) => isForbidden(tool));
      const wrapped = context.metrics.used.filter(({ through }) => isForbidden(through));
      if (names.some(isForbidden) || handedOver.length > 0 || wrapped.length > 0) {
        const called = distinct([
          ...names.filter(isForbidden),
          ...handedOver.map(({ tool }) => tool ?? null),
          ...wrapped.map(({ through }) => through ?? null),
        ]);
        const [were, are] = called.length === 1 ? ["was", "is"] : ["were", "are"];
        const message = `${listed(called)} ${were} called and ${are} forbidden`;
        const spanIds = [
          ...spansOf(context, (at) => isForbidden(names[at])),
          ...spanIdsOf([...handedOver, ...wrapped]),
        ];
        const reasons = called.map((name) =>
          reason("TOOL_FORBIDDEN", { step: stepOf(name, names), actual: name }),
        );
        return violated(called, message, { spanIds, reasons: together(reasons) });
      }
      const hidden = context.metrics.toolsMissing !== undefined && limit.length > 0;
      if (hidden) return toolsHidden(context);
      const unnamed = handoffs.find(({ tool, to }) => (tool ?? null) === null && namesTarget(to));
      if (unnamed !== undefined) {
        const message = `the function of the hand-off to ${short(unnamed.to)} is unknown, and may be forbidden`;
        return incomplete("handoff_tools", message, context.run);
      }
      const unmarked = names.find(mayBeForbidden);
      if (unmarked !== undefined && unmarked !== null) {
        const shown = visibleName(unmarked);
        const message = `${shown} was called, and may be a forbidden tool: the names do not show where the name of an MCP server ends`;
        return incomplete("tool_server", `${message}; to forbid it, write ${shown}`, context.run);
      }
      const similar = names.find(endsWithForbidden);
      if (similar === undefined || similar === null) return clean;
      const shown = visibleName(similar);
      return known(
        pass(
          [],
          `no forbidden tool was called; ${shown} ends with a forbidden name: if it is this tool of a server, forbid ${shown}`,
        ),
      );
    };
  },
});

/**
 * Returns a function that is true for a forbidden name, also in another spelling, and with or without the name of its server. A forbidden name
 * with a server, `mcp__store__get_stock`, does not forbid the tool `get_stock` of another server.
 */
export function forbiddenTest(names: readonly string[]): (name: string | null | undefined) => boolean {
  const ofOneServer = names.filter((name) => ofMcpServer.test(name));
  const exact = new Set(
    [...names, ...ofOneServer.map(withoutMcp), ...ofOneServer.map(withoutServer)].map(foldName),
  );
  const ofAnyServer = new Set(names.filter((name) => !ofMcpServer.test(name)).map(foldName));
  return (name) =>
    typeof name === "string" &&
    (exact.has(foldName(name)) ||
      (ofMcpServer.test(name) && exact.has(foldName(withoutMcp(name)))) ||
      ofAnyServer.has(foldName(withoutServer(name))));
}

/** Matches the name with which some clients call a tool of an MCP server: `mcp__store__get_stock`. */
const ofMcpServer = /^mcp__.+?__(.+)$/i;
/** Matches a tool's name after the name of a server or plugin: `mcp_store_get_stock`, `store__get_stock`, `store.get_stock`. */
const afterServer = /^(?:mcp_[^_]+_(?!_)|.+(?:__|[.:/]))(.+)$/i;
/** Matches names such as `mcp_store_get_stock` and `mcp-store-get-stock`, in which the first words may be those of a server. */
const otherMcp = /^mcp([-_.:/\s])(?!\1)([^-_.:/\s]+\1(?!\1)(.+))$/i;

/** Returns `store__get_stock` of `mcp__store__get_stock`. */
function withoutMcp(name: string): string {
  return name.slice("mcp__".length);
}

/** Returns a tool's name without the server's name that some clients prepend. */
const withoutServer = remembered((name) => {
  const found = (ofMcpServer.exec(name) ?? afterServer.exec(name))?.[1];
  if (found !== undefined) return found;
  // `store-get_stock`. A name without `_` may be one tool's name, because `-` can also separate its words.
  const last = name.slice(name.lastIndexOf("-") + 1);
  return last.includes("_") ? last : name;
});

/** Longest name in which a forbidden name is looked for. */
const LONGEST_NAME = 200;

/** Matches a tool of an MCP server in a name that does not show where the server's name ends, as some versions of Codex write it. */
const ofUnmarkedServer = /^mcp__((?:(?!__).)+)$/;

/**
 * Returns a function that is true for a name that may be a forbidden one, because only one of them has a server's name, whose end is not
 * marked: `mcp__storeget_stock` if `get_stock` is forbidden, and `get_stock` if `mcp_store_get_stock` is.
 */
function unmarkedTest(names: readonly string[]): (name: string | null) => boolean {
  const forbidden = new Set(names.map(foldName));
  const withoutServers = new Set(names.flatMap((name) => otherMcp.exec(name)?.slice(2) ?? []).map(foldName));
  const mayBeForbidden = remembered((name) => {
    if (withoutServers.has(foldName(name))) return true;
    const unmarked = ofUnmarkedServer.exec(name)?.[1] ?? "";
    return Array.from(unmarked, (_, at) => unmarked.slice(at + 1)).some((end) =>
      forbidden.has(foldName(end)),
    );
  });
  return (name) => name !== null && name.length <= LONGEST_NAME && mayBeForbidden(name);
}

/** Returns a function that is true for a name that ends with a forbidden name. The first words may name a server. */
function suffixTest(names: readonly string[]): (name: string | null) => boolean {
  const forbidden = new Set(names.map(foldName));
  const endsWithForbidden = remembered((name) => {
    return [...name.matchAll(/[-_.:/\s]+(?=[^-_.:/\s])/g)].some(({ 0: separator, index }) =>
      forbidden.has(foldName(name.slice(index + separator.length))),
    );
  });
  return (name) => name !== null && name.length <= LONGEST_NAME && endsWithForbidden(name);
}

/**
 * Returns a function that is true for the target of a hand-off if whole words of a forbidden name are the target's name, as in
 * `transfer_to_billing`. Such a name is probably the function of the hand-off.
 */
function targetTest(names: readonly string[]): (to: string) => boolean {
  const forbidden = names.map((name) => wordsOf(name).map(foldName));
  return (to) => {
    const target = foldName(to);
    return target !== "" && forbidden.some((words) => words.length > 1 && hasWords(words, target));
  };
}

/** Returns the words of a name: `transfer`, `to` and `Billing` of `transfer_to_Billing` and `transferToBilling`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .split(separator)
    .filter(Boolean);
}

const separator = new RegExp(`[${SEPARATORS}]+`, "u");

/** Whether some consecutive words, but not all words, are equal to a folded name. */
function hasWords(words: readonly string[], name: string): boolean {
  return words.some((_, from) => {
    let rest = name;
    for (let at = from; at < words.length && rest !== ""; at++) {
      const word = words[at] ?? "";
      if (!rest.startsWith(word)) return false;
      rest = rest.slice(word.length);
      if (rest === "") return from > 0 || at < words.length - 1;
    }
    return false;
  });
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
