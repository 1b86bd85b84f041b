/** Expected tool calls next to the actual tool calls, with arguments. In each pair, one call can be missing. */
export function CallDiff({ calls }: { calls: readonly (readonly [string | null, string | null])[] }) {
  return (
    <ul class="diff" aria-label="Expected and actual calls">
      {calls.map(([expected, actual], at) => (
        <>
          {expected !== null && (
            <li key={`${at}-`} class="minus">
              <span aria-hidden="true">−</span>
              <span>{expected}</span>
              <span>{actual === null ? "not called" : "expected"}</span>
            </li>
          )}
          {actual !== null && (
            <li key={`${at}+`} class="plus">
              <span aria-hidden="true">+</span>
              <span>{actual}</span>
              <span>{expected === null ? "not expected" : "called"}</span>
            </li>
          )}
        </>
      ))}
    </ul>
  );
}
