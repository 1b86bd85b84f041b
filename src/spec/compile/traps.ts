import { resolveMode, type BareMode } from "../../evaluate/metrics/match-mode.ts";
import { entryOf, type DocumentNode } from "../document/node.ts";
import { warningAt, type Problem } from "../document/problems/problem.ts";

/** AgentCI's meaning of mode names that other tools define differently. */
const traps: ReadonlyMap<string, string> = new Map([
  [
    "subset",
    "every tool of the reference must be called, and others may be; LangChain calls this mode `superset`",
  ],
  ["superset", "no tool outside the reference may be called; LangChain calls this mode `subset`"],
  [
    "unordered",
    "the same set of tools must be called; LangChain also counts repeats, and EvalView also allows further tools",
  ],
]);

/**
 * Matches a JavaScript regular expression with flags, such as `/a/i`. Without flags, the text may be a path that answers should contain.
 */
const slashed = /^\/(.+)\/([dgimsuvy]+)$/s;

/** Reports regular expressions between slashes, because the slashes would be part of the pattern. */
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
      `write the pattern without slashes: \`${clear}\``,
    ),
  ];
}

const modeKeys = ["match_mode", "sequence_mode", "call_mode"];

/**
 * Reports mode names whose meaning depends on the preset, if the spec has no preset. Without a preset, the names have AgentCI's meaning.
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
