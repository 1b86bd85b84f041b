import { ApiError, ask, useLoaded } from "../api.ts";
import { grouped } from "../../../src/evaluate/rules/text.ts";
import { counted } from "../format.ts";
import { useState } from "../hooks.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { setParameters } from "../route.ts";
import { groupBy } from "../tables/group-by.ts";
import { fileName, queryIdIn, type TableRows, useTableRows } from "../tables/table-rows.ts";
import { type Outcome, outcomes } from "../types.ts";
import { apiParameters, type FacetName, facetNames, type RunFilter } from "./filter.ts";

export interface FacetValue {
  readonly value: string;
  readonly runs: number;
}

/** The response of `/api/v1/facets`. */
export interface Facets {
  /** Number of runs that match the filter. */
  readonly total: number;
  readonly is_partial: boolean;
  readonly facets: Readonly<Record<FacetName, readonly FacetValue[]>>;
}

/**
 * Returns the counts for a filter. They are loaded again when `tick` changes. Null before they are loaded, or if the store cannot count.
 */
export function useFacets(filter: RunFilter, tick: number): Facets | null {
  const { sort: _, order: __, ...counted } = filter;
  const loading = useLoaded(() => loadFacets(filter), [JSON.stringify(counted), tick]);
  return loading.state === "ready" ? loading.value : null;
}

async function loadFacets(filter: RunFilter): Promise<Facets | null> {
  const { sort: _, order: __, ...parameters } = apiParameters(filter);
  try {
    return await ask<Facets>("/api/v1/facets", { parameters });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The possible filters. Each value is shown with its number of runs. */
export function FacetPanel({ facets, filter }: { facets: Facets | null; filter: RunFilter }) {
  return (
    <form class="facets" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {facetNames.map((name) => (
        <Facet key={name} name={name} values={inOrder(name, facets?.facets[name])} chosen={filter[name]} />
      ))}
    </form>
  );
}

const shownAtFirst = 6;

const titles: Readonly<Record<FacetName, string>> = {
  outcome: "Verdict",
  check: "Unmet check",
  query: "Query",
  agent: "Agent",
  model: "Model",
  service: "Service",
  version: "Version",
};

interface FacetProps {
  readonly name: FacetName;
  readonly values: readonly FacetValue[];
  readonly chosen: readonly string[];
}

function Facet({ name, values, chosen }: FacetProps) {
  if (values.length === 0) return null;
  return (
    <fieldset>
      <legend>{titles[name]}</legend>
      {name === "query" ? (
        <QueryValues values={values} chosen={chosen} />
      ) : (
        <FacetValues name={name} values={values} chosen={chosen} />
      )}
    </fieldset>
  );
}

/** The first values of a facet, and the selected values. A click shows the others. */
function FacetValues({ name, values, chosen }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole
    ? values
    : values.filter(({ value }, at) => at < shownAtFirst || chosen.includes(value));
  const choose = (value: string, isChosen: boolean): void =>
    setParameters({ [name]: isChosen ? [...chosen, value] : chosen.filter((one) => one !== value) });
  return (
    <>
      {shown.map(({ value, runs }) => (
        <label key={value} title={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) => choose(value, event.currentTarget.checked)}
          />
          <span class="cut">{name === "outcome" ? <OutcomeName value={value} /> : value}</span>
          <span class="num quiet">{grouped(runs)}</span>
        </label>
      ))}
      {values.length > shown.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {values.length - shown.length} more
        </button>
      )}
    </>
  );
}

/** Minimum number of queries for which there is a search field. */
const fewestSearched = 12;

/** The facet `query`: rows of a table are folded. If there are many queries, they can be searched by id. */
function QueryValues({ values, chosen }: Omit<FacetProps, "name">) {
  const [part, setPart] = useState("");
  const rows = useTableRows();
  const wanted = part.trim().toLowerCase();
  const found = values.filter(({ value }) => value.toLowerCase().includes(wanted));
  const tables = tablesOf(values, rows);
  const inTables = new Set([...tables.values()].flat());
  return (
    <>
      {values.length >= fewestSearched && (
        <input
          type="search"
          class="find"
          aria-label="Find a query"
          placeholder={`Find one of ${grouped(values.length)}`}
          value={part}
          onInput={(event) => setPart(event.currentTarget.value)}
        />
      )}
      {wanted !== "" ? (
        <>
          <FacetValues key={wanted} name="query" values={found} chosen={chosen} />
          {found.length === 0 && <p class="quiet">No query has this in its id.</p>}
        </>
      ) : (
        <>
          <FacetValues name="query" values={values.filter((one) => !inTables.has(one))} chosen={chosen} />
          {[...tables].map(([file, of]) => (
            <details key={file} open={of.some(({ value }) => chosen.includes(value))}>
              <summary title={file}>
                <span class="cut">{fileName({ file })}</span>
                <span class="quiet">{counted(of.length, "row")}</span>
              </summary>
              <FacetValues name="query" values={of} chosen={chosen} />
            </details>
          ))}
        </>
      )}
    </>
  );
}

/** Returns the values that are rows of a table, by table. Only tables with several values are included. */
function tablesOf(
  values: readonly FacetValue[],
  rows: TableRows,
): ReadonlyMap<string, readonly FacetValue[]> {
  const fileById = new Map([...rows].map(([key, { file }]) => [queryIdIn(key), file]));
  const byFile = groupBy(values, ({ value }) => fileById.get(value) ?? "");
  return new Map([...byFile].filter(([file, of]) => file !== "" && of.length > 1));
}

/** A value of the facet `outcome`: symbol and word. */
function OutcomeName({ value }: { value: string }) {
  return <OutcomeMark outcome={value === "none" ? null : (value as Outcome)} />;
}

const outcomeOrder: readonly string[] = [...outcomes, "none"];

/**
 * Returns the values of a facet in the order in which they are shown: outcomes from the worst to the best, and values of other facets by
 * frequency.
 */
function inOrder(name: FacetName, values: readonly FacetValue[] = []): readonly FacetValue[] {
  if (name !== "outcome") return values;
  return values.toSorted((a, b) => outcomeOrder.indexOf(a.value) - outcomeOrder.indexOf(b.value));
}
