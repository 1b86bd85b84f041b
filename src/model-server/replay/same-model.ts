/** Matches a date or version at the end of a model name: `"-2024-08-06"`, `"@latest"`. */
const version = /^(?:[-@:](?:\d{4}-?\d\d-?\d\d|\d{2,4}-\d\d|\d{3}|v\d[\w.:-]*|latest))+$/;

/** Whether two names mean the same model. Ignores provider prefixes, and dates and versions at the end. */
export function isSameModel(one: string, other: string): boolean {
  const [short, long] = [bare(one), bare(other)].sort((a, b) => a.length - b.length) as [string, string];
  return short === long || (long.startsWith(short) && version.test(long.slice(short.length)));
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1).toLowerCase();
}
