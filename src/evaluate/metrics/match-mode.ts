/**
 * Modes in which a run's tools can be compared with a reference. Each name has one meaning. Short words of
 * other systems, such as `subset`, are not in the list; `resolveMode` converts them.
 */
export const plainModes = [
  "same-order",
  "same-calls",
  "same-tools",
  "contains",
  "contains-calls",
  "contains-in-order",
  "only-allowed",
  "only-allowed-calls",
] as const;
export type PlainMode = (typeof plainModes)[number];

/**
 * Short mode names that have different meanings in different systems: AgentCI's `subset` is LangChain's
 * `superset`.
 */
export const bareModes = ["strict", "unordered", "subset", "superset", "exact", "subsequence"] as const;
export type BareMode = (typeof bareModes)[number];

export type Preset = "agentci" | "evalview" | "langchain" | "ragas" | "promptfoo";

const agentci: Readonly<Record<BareMode, PlainMode>> = {
  strict: "same-order",
  unordered: "same-tools",
  subset: "contains",
  superset: "only-allowed",
  exact: "same-order",
  subsequence: "contains-in-order",
};

/** Meaning of each short mode name under each preset. Without a preset, AgentCI's meaning applies. */
const meanings: Readonly<Record<Preset, Readonly<Record<BareMode, PlainMode>>>> = {
  agentci,
  evalview: { ...agentci, unordered: "contains-calls" },
  langchain: {
    ...agentci,
    unordered: "same-calls",
    superset: "contains-calls",
    subset: "only-allowed-calls",
  },
  ragas: { ...agentci, unordered: "same-calls" },
  promptfoo: agentci,
};

/** Returns the mode that a name in a spec means. */
export function resolveMode(name: PlainMode | BareMode, preset: Preset | undefined): PlainMode {
  return isBareMode(name) ? meanings[preset ?? "agentci"][name] : name;
}

function isBareMode(name: string): name is BareMode {
  return (bareModes as readonly string[]).includes(name);
}
