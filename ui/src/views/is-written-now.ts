/**
 * Whether the spec has a query with the text of an unjudged run, except for case and white space. The run was then received before the query
 * was written.
 */
export function isWrittenNow(
  { spec, query }: { readonly spec: string; readonly query: string | null },
  lines: readonly { readonly spec: string; readonly text: string | null }[],
): boolean {
  const tidy = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();
  return query !== null && lines.some((line) => line.spec === spec && tidy(line.text ?? "") === tidy(query));
}
