interface ToolTableProps {
  readonly called: readonly (string | null)[];
  /** Names of the tools that the spec expects; null if it expects none. */
  readonly expected: readonly string[] | null;
  readonly forbidden: readonly string[];
}

const mostTools = 16;

/** The called tools with the number of their calls, compared with the tools that the spec expects and those that it forbids. */
export function ToolTable({ called, expected, forbidden }: ToolTableProps) {
  const counts = new Map<string, number>();
  for (const name of called) counts.set(name ?? "(unnamed)", (counts.get(name ?? "(unnamed)") ?? 0) + 1);
  const absent = (expected ?? []).filter((name, at, all) => !counts.has(name) && all.indexOf(name) === at);
  const rows = [...counts].slice(0, mostTools);
  return (
    <ul class="diff" aria-label="Tools called, against the spec">
      <li class="cap">tools called, against the spec</li>
      {rows.map(([name, count]) => {
        const isForbidden = forbidden.includes(name);
        const word = isForbidden ? "forbidden" : expected?.includes(name) === true ? "expected" : "";
        return (
          <li key={name} class={isForbidden ? "minus" : ""}>
            <span aria-hidden="true">{isForbidden ? "✗" : word === "" ? "" : "✓"}</span>
            <span>{name}</span>
            <span>
              {count > 1 && `×${count} `}
              {word}
            </span>
          </li>
        );
      })}
      {counts.size > rows.length && <li class="cap">… and {counts.size - rows.length} more</li>}
      {absent.map((name) => (
        <li key={name} class="minus">
          <span aria-hidden="true">−</span>
          <span>{name}</span>
          <span>not called</span>
        </li>
      ))}
      {counts.size === 0 && absent.length === 0 && <li class="cap">none was called</li>}
    </ul>
  );
}
