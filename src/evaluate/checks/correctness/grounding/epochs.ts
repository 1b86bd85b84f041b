/** Words in a field's name that mark a Unix time, such as `created`. */
const timeWords: ReadonlySet<string> = new Set(
  (
    "at timestamp timestamps time ts date datetime epoch unix created updated modified expires expiry expiration expired deadline due exp iat nbf " +
    "started finished published since until when day"
  ).split(" "),
);
/** Matches field names whose number is no Unix time, such as durations and counts. */
const spans =
  /duration|elapsed|latency|timeout|interval|uptime|total|response|processing|count|amount|price|id$/i;

/**
 * Units per second of Unix times: seconds, milliseconds, microseconds, nanoseconds. The size of a number between the years 1973 and 2099
 * shows its unit.
 */
const perSecond = [1, 1e3, 1e6, 1e9];
const FIRST_SECOND = 1e8;
const LAST_SECOND = 4_102_444_800;

/**
 * Returns the UTC time (ISO 8601) of a Unix time in a field such as `created_at`. Undefined if the name or the number is not that of a
 * time.
 */
export function epochOfField(label: string, written: string): string | undefined {
  if (!/^\d{9,19}(?:\.\d{1,9})?$/.test(written) || !isNamedLikeTime(label)) return undefined;
  const value = Number(written);
  const scale = perSecond.find((size) => value >= FIRST_SECOND * size && value < LAST_SECOND * size);
  return scale === undefined
    ? undefined
    : new Date(Math.floor(value / scale) * 1000).toISOString().slice(0, 19);
}

function isNamedLikeTime(label: string): boolean {
  const words = label.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).map((word) => word.toLowerCase());
  return !spans.test(label) && words.some((word) => timeWords.has(word));
}

const field =
  /([\p{L}_]{1,40})["']?(?: ?[:=] ?| )["']?(\d{9,10}|\d{12,13}|\d{15,16}|\d{18,19})(?![\p{L}\p{N}]|[.,]\p{N})/gu;

/** Returns the UTC times (ISO 8601) of Unix times in fields within a text, such as `created_at=1741521600`. */
export function epochsIn(text: string): readonly string[] {
  if (!/\d{9}/.test(text)) return [];
  return [...text.matchAll(field)].flatMap(
    ([, label = "", digits = ""]) => epochOfField(label, digits) ?? [],
  );
}
