import { parameter, parameters } from "../route.ts";

/** What runs are counted by, as the API and the address name it. */
export const facetNames = ["outcome", "check", "query", "agent", "model", "service", "version"] as const;
export type FacetName = (typeof facetNames)[number];

const textNames = ["text", "since", "until", "sort", "order"] as const;
export type TextName = (typeof textNames)[number];

/** What the list of runs is narrowed and sorted by; empty where it is not. */
export type RunFilter = Readonly<Record<FacetName, readonly string[]>> & Readonly<Record<TextName, string>>;

/** The filter that the address has. */
export function filterInAddress(): RunFilter {
  const facets = Object.fromEntries(facetNames.map((name) => [name, parameters(name)]));
  const texts = Object.fromEntries(textNames.map((name) => [name, parameter(name)]));
  return { ...facets, ...texts } as RunFilter;
}

/** Changes of the address that remove every filter. */
export const noFilter: Readonly<Record<string, string>> = Object.fromEntries(
  [...facetNames, "text", "since", "until"].map((name) => [name, ""]),
);

export function isNarrowed(filter: RunFilter): boolean {
  return Object.keys(noFilter).some((name) => filter[name as FacetName | TextName].length > 0);
}

/** Parameters of the API for a filter. The address names whole models; a part of a name is another parameter of the API. */
export function apiParameters({
  model = [],
  ...rest
}: Partial<RunFilter>): Readonly<Record<string, string | readonly string[]>> {
  return { ...rest, model_name: model };
}
