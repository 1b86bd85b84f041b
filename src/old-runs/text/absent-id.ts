/** How languages print a value that is absent. */
const printedAbsence: ReadonlySet<string> = new Set(["null", "none", "undefined", "nil", "nan"]);
/** Further words that stand in place of an id. */
const noIds: ReadonlySet<string> = new Set(["unknown", "<not specified>", "<unset>", "n/a"]);
const LONGEST = Math.max(...Array.from([...printedAbsence, ...noIds], ({ length }) => length));

/** True for empty text and for a printed absence such as `"null"` or `"None"`: neither a name nor an id. */
export function isAbsentName(text: string): boolean {
  return mayBeAbsent(text) && (printedAbsence.has(text.toLowerCase()) || text.trim() === "");
}

/** The same for ids, which no producer calls `unknown` either. */
export function isAbsentId(text: string): boolean {
  return mayBeAbsent(text) && (noIds.has(text.toLowerCase()) || isAbsentName(text));
}

/** By its length and first character: "<", "n", "u", or white space. */
function mayBeAbsent(text: string): boolean {
  if (text.length > LONGEST) return false;
  const first = text.charCodeAt(0) | 32;
  return !(first > 60) || first === 110 || first === 117;
}
