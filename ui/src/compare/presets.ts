import { ask } from "../api.ts";
import { counted } from "../format.ts";

/** Properties in which two sides can differ, such as the model. Each has a URL parameter and a facet. */
const kinds = [
  { parameter: "model_name", facet: "model", plural: "models" },
  { parameter: "version", facet: "version", plural: "versions" },
  { parameter: "agent", facet: "agent", plural: "agents" },
  { parameter: "service", facet: "service", plural: "services" },
] as const;
type Kind = (typeof kinds)[number];
export type PresetKind = Kind["parameter"];

export interface FacetValue {
  readonly value: string;
  readonly runs: number;
}

export interface Facets {
  readonly facets: Readonly<Record<Kind["facet"] | "query", readonly FacetValue[]>>;
}

/** A suggested comparison: two frequent values of this kind that have many queries in common. */
export interface Preset {
  readonly kind: PresetKind;
  readonly a: FacetValue;
  readonly b: FacetValue;
  readonly queriesInCommon: number;
  readonly parameters: Readonly<Record<string, string>>;
}

export function kindWords(kind: PresetKind): string {
  return kinds.find(({ parameter }) => parameter === kind)?.plural ?? kind;
}

/** Returns a text such as `gpt-4o (58 runs) against gpt-4o-mini (262 runs)`. */
export function presetWords({ a, b }: Preset): string {
  const side = ({ value, runs }: FacetValue): string => `${value} (${counted(runs, "run")})`;
  return `${side(b)} against ${side(a)}`;
}

/** Returns the kinds for which the runs have at least two values. */
export function kindsSeen({ facets }: Facets): readonly PresetKind[] {
  return kinds.flatMap(({ parameter, facet }) => (facets[facet].length > 1 ? [parameter] : []));
}

/** Number of most frequent values of a kind that are tried as a side. */
const mostTried = 5;

/** Returns one preset for each kind, or only for the given kind. There is none for a kind if no two of its values have a common query. */
export async function presetsOf({ facets }: Facets, only?: PresetKind): Promise<readonly Preset[]> {
  const wanted = kinds.filter(({ parameter }) => only === undefined || parameter === only);
  const found = await Promise.all(wanted.map((kind) => presetOf(kind, facets[kind.facet])));
  return found.filter((preset) => preset !== null);
}

async function presetOf({ parameter, plural }: Kind, values: readonly FacetValue[]): Promise<Preset | null> {
  if (values.length < 2) return null;
  const tried = await Promise.all(
    values
      .slice(0, mostTried)
      .map(async (one) => ({ ...one, queries: await queriesOf(parameter, one.value) })),
  );
  const pairs = tried.flatMap((one, at) =>
    tried.slice(at + 1).flatMap((other) => {
      const common = [...one.queries].filter((query) => other.queries.has(query)).length;
      return common === 0 ? [] : [{ one, other, common, isDated: isDatedName(one.value, other.value) }];
    }),
  );
  const [best] = pairs.toSorted(
    (p, q) =>
      Number(p.isDated) - Number(q.isDated) ||
      q.common - p.common ||
      q.one.runs + q.other.runs - (p.one.runs + p.other.runs),
  );
  if (best === undefined) return null;
  const { one, other, common } = best;
  // Of two versions, the later one is B. Of other values, the more frequent one is A.
  const isTurned = plural === "versions" && compareVersions(one.value, other.value) > 0;
  const [a, b] = isTurned ? [other, one] : [one, other];
  return {
    kind: parameter,
    a: { value: a.value, runs: a.runs },
    b: { value: b.value, runs: b.runs },
    queriesInCommon: common,
    parameters: { [`a_${parameter}`]: a.value, [`b_${parameter}`]: b.value },
  };
}

/** Whether two names mean the same model, and one of them contains a date, such as `gpt-4o` and `gpt-4o-2024-08-06`. */
function isDatedName(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && /^[-@:]\d{4}/.test(long.slice(short.length));
}

/** Resolves to the ids of the queries that match runs with this value. */
async function queriesOf(parameter: PresetKind, value: string): Promise<ReadonlySet<string>> {
  const { facets } = await ask<Facets>("/api/v1/facets", { parameters: { [parameter]: value } });
  return new Set(facets.query.map((query) => query.value));
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
