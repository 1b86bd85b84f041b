import { resolveMode, type BareMode } from "../../evaluate/metrics/match-mode.ts";
import { entryOf, type DocumentNode } from "../document/node.ts";
import { warningAt, type Problem } from "../document/problems/problem.ts";

/** Meanings in AgentCI of mode names that other tools use differently. */
const traps: ReadonlyMap<string, string> = new Map([
  ["subset", "every tool of the reference is used, others may be; LangChain calls that `superset`"],
  ["superset", "no tool outside of the reference is used; LangChain calls that `subset`"],
  ["unordered", "the same tools as a set; LangChain also counts repeats, EvalView also allows further tools"],
]);

/**
 * Matches a JavaScript regular expression with flags, such as `/a/i`. A text between slashes without flags
 * may be a path that an answer should contain.
 */
const slashed = /^\/(.+)\/([dgimsuvy]+)$/s;

/**
 * Reports regular expressions between slashes. Without this warning, the slashes would be part of the
 * pattern.
 */
export function slashTraps(query: DocumentNode): Problem[] {
  const node = entryOf(entryOf(query, "correctness")?.node, "regex_match")?.node;
  if (node?.kind !== "scalar" || typeof node.value !== "string") return [];
  const [, pattern = "", flags = ""] = slashed.exec(node.value) ?? [];
  if (pattern === "") return [];
  const kept = flags.replaceAll(/[^ims]/g, "");
  const clear = `${kept === "" ? "" : `(?${kept})`}${pattern}`;
  return [
    warningAt(
      node.at,
      "spec/trap",
      "the slashes are part of the pattern here: only an answer with slashes matches",
      `write it without them: \`${clear}\``,
    ),
  ];
}

const modeKeys = ["match_mode", "sequence_mode", "call_mode"];

/**
 * Reports mode names whose meaning depends on the preset, if the spec has no preset. The names then have
 * AgentCI's meaning.
 */
export function modeTraps(query: DocumentNode): Problem[] {
  return modeKeys.flatMap((key) => {
    const node = entryOf(entryOf(query, "path")?.node, key)?.node;
    const mode = node?.kind === "scalar" ? String(node.value) : "";
    const meaning = traps.get(mode);
    if (!node || meaning === undefined) return [];
    const clear = resolveMode(mode as BareMode, undefined);
    const message = `\`${mode}\` has AgentCI's meaning here: ${meaning}`;
    return [
      warningAt(
        node.at,
        "spec/trap",
        message,
        `\`${clear}\` means the same with every preset; or set \`preset\``,
      ),
    ];
  });
}
