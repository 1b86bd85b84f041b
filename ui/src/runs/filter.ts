import { parameter, parameters } from "../route.ts";

/** Names of the facets in the API and the URL. */
export const facetNames = ["outcome", "check", "query", "agent", "model", "service", "version"] as const;
export type FacetName = (typeof facetNames)[number];

const textNames = ["text", "since", "until", "sort", "order"] as const;
export type TextName = (typeof textNames)[number];

/** Filter and sort order of the list of runs; empty values do not filter. */
export type RunFilter = Readonly<Record<FacetName, readonly string[]>> & Readonly<Record<TextName, string>>;

/** The filter in the URL. */
export function filterInAddress(): RunFilter {
  const facets = Object.fromEntries(facetNames.map((name) => [name, parameters(name)]));
  const texts = Object.fromEntries(textNames.map((name) => [name, parameter(name)]));
  return { ...facets, ...texts } as RunFilter;
}

/** URL parameters that remove all filters. */
export const noFilter: Readonly<Record<string, string>> = Object.fromEntries(
  [...facetNames, "text", "since", "until"].map((name) => [name, ""]),
);

export function isNarrowed(filter: RunFilter): boolean {
  return Object.keys(noFilter).some((name) => filter[name as FacetName | TextName].length > 0);
}

/** A filter as parameters of the API. The URL contains complete model names; the API has another parameter for parts of names. */
export function apiParameters({
  model = [],
  ...rest
}: Partial<RunFilter>): Readonly<Record<string, string | readonly string[]>> {
  return { ...rest, model_name: model };
}
