import { otherFields } from "../../evaluate/checks/blocks/span-fields.ts";
import { resolveMode, type BareMode } from "../../evaluate/metrics/match-mode.ts";
import { type DocumentNode, itemsAt, nodeAt } from "../document/node.ts";
import { warningAt, type Problem } from "../document/problems/problem.ts";
import { nearHint } from "../document/problems/suggest.ts";

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
 * Matches a JavaScript regular expression with flags, such as `/a/i`. `/a/` without flags is not matched, because it may be a path that
 * answers should contain.
 */
const slashed = /^\/(.+)\/([dgimsuvy]+)$/s;

/** Reports regular expressions between slashes, because the slashes would be part of the pattern. */
export function slashTraps(query: DocumentNode): Problem[] {
  const node = nodeAt(query, ["correctness", "regex_match"]);
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

/** Scores from 0 to 100, which look like shares if they are at most 1. */
const scoreLimits = [
  ["scoring", "min_score"],
  ["reliability", "min_mean_score"],
] as const;

/** Reports limits of scores that are probably shares from 0 to 1: nearly every run reaches a score of 0.8 of 100. */
export function scoreTraps(query: DocumentNode): Problem[] {
  return scoreLimits.flatMap((path) => {
    const node = nodeAt(query, path);
    if (node?.kind !== "scalar" || typeof node.value !== "number" || node.value <= 0 || node.value > 1)
      return [];
    const percent = Number((100 * node.value).toPrecision(12));
    const message = `\`${path[1]}\` is a score from 0 to 100, and nearly every run reaches ${node.value}`;
    return [warningAt(node.at, "spec/trap", message, `for ${percent} %, write ${percent}`)];
  });
}

/** Smallest confidence that is probably not a significance level such as 0.05. */
const LEAST_CONFIDENCE = 0.5;

/** Reports a confidence that is probably a significance level: with 5 % confidence, a single run decides nearly every gate. */
export function confidenceTraps(query: DocumentNode): Problem[] {
  const node = nodeAt(query, ["reliability", "confidence"]);
  if (node?.kind !== "scalar" || typeof node.value !== "number") return [];
  if (node.value <= 0 || node.value >= LEAST_CONFIDENCE) return [];
  const meant = Number((1 - node.value).toPrecision(12));
  const message = `a gate with ${Number((100 * node.value).toPrecision(12))} % confidence decides almost by chance`;
  return [
    warningAt(node.at, "spec/trap", message, `for a significance level of ${node.value}, write ${meant}`),
  ];
}

const modeKeys = ["match_mode", "sequence_mode", "call_mode"];

/**
 * Reports mode names whose meaning depends on the preset, if the spec has no preset. Without a preset, the names have AgentCI's meaning.
 */
export function modeTraps(query: DocumentNode): Problem[] {
  return modeKeys.flatMap((key) => {
    const node = nodeAt(query, ["path", key]);
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

/** Reports a `field` of `spans` that no step of the kind can have, because each run is then incomplete. */
export function fieldTraps(query: DocumentNode): Problem[] {
  return itemsAt(query, "spans").flatMap((item) => {
    const field = nodeAt(item, ["field"]);
    const kind = nodeAt(item, ["kind"]);
    if (field?.kind !== "scalar") return [];
    const of = kind?.kind === "scalar" ? String(kind.value) : undefined;
    const path = String(field.value);
    const others = otherFields(path, of);
    if (others === undefined) return [];
    const message = `${of === undefined ? "a step" : `a step of the kind ${of}`} has no field \`${path}\``;
    const hint = nearHint(path.split(".")[0] ?? "", others, `a field can begin with: ${others.join(", ")}`);
    return [warningAt(field.at, "spec/unknown-name", message, hint)];
  });
}
