import { resolveMode, type BareMode } from "../evaluate/metrics/match-mode.ts";
import { entryOf, type DocumentNode } from "./document/node.ts";
import { warningAt, type Problem } from "./document/problem.ts";

/** What AgentCI means by the mode names that other tools use for something else. */
const traps: ReadonlyMap<string, string> = new Map([
  ["subset", "every tool of the reference is used, others may be; LangChain calls that `superset`"],
  ["superset", "no tool outside of the reference is used; LangChain calls that `subset`"],
  [
    "unordered",
    "the same set of tools, repeats not counted; LangChain counts them, and EvalView allows extra tools",
  ],
]);

const modeKeys = ["match_mode", "sequence_mode"];

/** Mode names that are read as AgentCI's only because the spec names no preset. */
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
        `\`${clear}\` says the same and means it everywhere; or set \`preset\``,
      ),
    ];
  });
}
