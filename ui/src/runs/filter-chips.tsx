import { withParameters } from "../route.ts";
import { facetNames, isNarrowed, noFilter, type RunFilter } from "./filter.ts";

/** The active filters. Each is shown as a link that removes the filter. */
export function FilterChips({ filter }: { filter: RunFilter }) {
  if (!isNarrowed(filter)) return null;
  const chips = facetNames.flatMap((name) =>
    filter[name].map((value) => ({
      label: `${name}: ${value}`,
      to: withParameters({ [name]: filter[name].filter((one) => one !== value) }),
    })),
  );
  if (filter.text !== "") chips.push({ label: `text: ${filter.text}`, to: withParameters({ text: "" }) });
  return (
    <nav class="filter-chips" aria-label="Filters in use">
      {chips.map(({ label, to }) => (
        <a key={label} class="chip" href={to}>
          {label} <span aria-hidden="true">✕</span>
          <span class="hidden"> remove this filter</span>
        </a>
      ))}
      <a href={withParameters(noFilter)}>Clear</a>
    </nav>
  );
}
