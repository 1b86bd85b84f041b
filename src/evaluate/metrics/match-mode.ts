/**
 * Modes in which a run's tools are compared with a reference. `resolveMode` converts short names of other systems, such as `subset`, to
 * these modes.
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

/** Short mode names that mean different things in different systems: AgentCI's `subset` is LangChain's `superset`. */
export const bareModes = ["strict", "unordered", "subset", "superset", "exact", "subsequence"] as const;
export type BareMode = (typeof bareModes)[number];

export const presets = ["agentci", "evalview", "langchain", "ragas", "promptfoo"] as const;
export type Preset = (typeof presets)[number];

const agentci: Readonly<Record<BareMode, PlainMode>> = {
  strict: "same-order",
  unordered: "same-tools",
  subset: "contains",
  superset: "only-allowed",
  exact: "same-order",
  subsequence: "contains-in-order",
};

/** Meaning of each short mode name under each preset. */
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

/** Returns the mode that a name means under a preset; without a preset, AgentCI's meaning. */
export function resolveMode(name: PlainMode | BareMode, preset: Preset | undefined): PlainMode {
  return isBareMode(name) ? meanings[preset ?? "agentci"][name] : name;
}

function isBareMode(name: string): name is BareMode {
  return (bareModes as readonly string[]).includes(name);
}
