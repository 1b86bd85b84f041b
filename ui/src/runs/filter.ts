import { parameter, parameters } from "../route.ts";

/** Names of the facets in the API and the URL. */
export const facetNames = ["outcome", "check", "query", "agent", "model", "service", "version"] as const;
export type FacetName = (typeof facetNames)[number];

const textNames = ["text", "since", "until", "sort", "order"] as const;
export type TextName = (typeof textNames)[number];

/** Filter and sort order of the list of runs; an empty value does not restrict the list. */
export type RunFilter = Readonly<Record<FacetName, readonly string[]>> & Readonly<Record<TextName, string>>;

/** Returns the filter that is in the URL. */
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

/**
 * Converts a filter into parameters of the API. A model is sent as `model_name`, which is a complete name, because the API's parameter
 * `model` is a part of a name.
 */
export function apiParameters({
  model = [],
  ...rest
}: Partial<RunFilter>): Readonly<Record<string, string | readonly string[]>> {
  return { ...rest, model_name: model };
}
