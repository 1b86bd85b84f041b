import { byWord, match, sticky } from "./sticky.ts";

/** A time of day at a position of a text. `times` are the possible readings; each reading is one time, or the ends of a range. */
export interface TimePart {
  readonly end: number;
  readonly times: readonly (readonly TimeOfDay[])[];
}

export interface TimeOfDay {
  /** Seconds since midnight in the zone of the text. */
  readonly seconds: number;
  /** Offset from UTC in minutes; null if the text states no zone. */
  readonly offsetMinutes: number | null;
  /** Winter or summer time, for an offset whose zone name does not state the season, such as `ET`. */
  readonly season?: Season;
  /**
   * True for the second reading of a 12-hour time without `am` or `pm`, such as 14:30 for `2:30`. A second reading in an answer is
   * accepted; a second reading in evidence only leaves a value undecided.
   */
  readonly isGuess?: boolean;
}

const CLOCK = String.raw`(\d{1,2})(?:[:.](\d{2})(?::(\d{2})(?:\.\d+)?)?)?`;
const HALF = String.raw`(?: ?([ap])\.? ?m\b\.?)`;
/** Matches a time with a one-letter half of the day: `6:52a`. */
const shortHalfDay = /(\d{1,2}):(\d{2})([ap])(?![\p{L}\p{N}])/iuy;
const halfDay = new RegExp(`(?:${CLOCK}${HALF}? ?(?:-|to|bis|until|and) ?)?${CLOCK}${HALF}`, "iuy");
const clock = /(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?/uy;
const withLetter = /(\d{1,2}) ?h ?(\d{2})(?![\p{L}\d]| ?min)/uy;
const withUhr =
  /(\d{1,2})(?:[.:](\d{2}))? ?Uhr|(\d{1,2})\.(\d{2}) ?(?:uur|h)(?![\p{L}\p{N}])|(?<=(?:\bore|\bkl\.?|\bklokken|\bklo|\bkello|\bpukul) )(\d{1,2})\.(\d{2})(?![\d.])/uy;
/** Matches times such as `0930 hrs`. `1430 hrs` can also be a duration. */
const military = /(0\d|1\d|2[0-3])([0-5]\d) ?(?:hrs|hours|h)(?!\p{L})|([01]\d|2[0-3])([0-5]\d) ?Z(?!\p{L})/uy;
const zone = / ?(?:(Z|UTC|GMT)? ?([+-])(\d{1,2}):?(\d{2})?|(Z|UTC|GMT))(?![\p{L}\d:])/uy;
const hourParts = /(half|quarter) (past|after|to|before) (\d{1,2})(?![\p{L}\p{N}]|[:.,/%-]\p{N})/iuy;
const word = /(noon|midday|midnight)(?!\p{L})/iuy;

const HOUR_OF_RANGE = String.raw`(\d{1,2})(?:[.:h](\d{2}))?`;
/** Matches `9 bis 18 Uhr`, `9–18 h` and `9h à 18h`, in which the word after the second hour applies to both hours. */
const hourRange = sticky(
  String.raw`${HOUR_OF_RANGE} ?(?:Uhr|h|uur|heures)?(?: ?- ?| (?:bis|to|until|till|and|und|à|a|al|alle|tot|et|y|e|até|jusqu'à) )(?:${HOUR_OF_RANGE} ?(Uhr|o'clock|uur|h|hrs|heures|horas|ore)|(\d{1,2})h(\d{2}))(?![\p{L}\p{N}])`,
);
/** Matches words after an hour that can mean a duration or a time of day. */
const alsoDuration = /^(?:h|hrs|heures|horas|ore|uur)$/i;
const hourAlone = sticky(
  String.raw`(\d{1,2}) ?(o'clock|uur|h|heures|horas|ore)(?![\p{L}\p{N}]| \d{2}(?![\d:]|[.,]\d))`,
);
/** Matches words before a time of day. */
const timeBefore =
  /(?:^|[^\p{L}])(?:um|ab|at|à|a las|alle|dès|vers|om|kl|às|as|until|bis|from|opens?|closes?) $/iu;

/**
 * Parses one hour (`5 o'clock`), or two hours to which the word after the second applies (`9 to 5 o'clock`). `mayLast` is true if the text
 * can also be a duration.
 */
export function hourRangeAt(
  text: string,
  at: number,
): (TimePart & { readonly mayLast: boolean }) | undefined {
  const found = match(hourRange, text, at);
  if (found !== null) {
    const [whole, fromHour, fromMinute, hourOfEnd, minuteOfEnd, word = "", toHour = hourOfEnd] = found;
    const toMinute = found[7] ?? minuteOfEnd;
    const times = halves(word).flatMap((noon) => {
      const ends = [seconds(fromHour, fromMinute, "0", undefined), seconds(toHour, toMinute, "0", undefined)];
      const [start, end] = ends;
      if (start === undefined || end === undefined) return [];
      const last = Number(toHour) <= 12 ? (end + noon) % 86_400 : end;
      return [[start, last].map((inDay) => ({ seconds: inDay, offsetMinutes: null }))];
    });
    return times.length === 0
      ? undefined
      : { end: at + whole.length, times, mayLast: alsoDuration.test(word) };
  }
  const alone = match(hourAlone, text, at);
  const inDay = seconds(alone?.[1], "0", "0", undefined);
  const word = alone?.[2] ?? "";
  const isTime = word.toLowerCase() === "o'clock" || timeBefore.test(text.slice(Math.max(0, at - 12), at));
  if (alone === null || inDay === undefined || !isTime) return undefined;
  const times = halves(word).map((noon) => [
    { seconds: Number(alone[1]) <= 12 ? (inDay + noon) % 86_400 : inDay, offsetMinutes: null },
  ]);
  return { end: at + alone[0].length, times, mayLast: alsoDuration.test(word) };
}

/** Returns the seconds to add to an hour up to 12, for each possible half of the day. `5 o'clock` is 5:00 or 17:00. */
function halves(word: string): readonly number[] {
  return word.toLowerCase() === "o'clock" ? [0, 43_200] : [0];
}

/**
 * Returns the time of day at a position of a plain text; undefined if there is none.
 * @param isStamp whether a date directly precedes the time
 */
export function timeAt(text: string, at: number, isStamp = false): TimePart | undefined {
  const time = halfDays(text, at) ?? plainTime(text, at, isStamp) ?? spokenTime(text, at);
  return time && inNamedZone(text, time);
}

type Season = "winter" | "summer";

/** Possible UTC offsets in hours, by time zone name. */
const zoneNames: ReadonlyMap<string, readonly number[]> = byWord<readonly number[]>([
  [[-8, -7], "pt pacific"],
  [[-7, -6], "mt mountain"],
  [[-6, -5], "ct central"],
  [[-5, -4], "et eastern"],
  [[-8], "pst"],
  [[-7], "pdt mst"],
  [[-6], "mdt"],
  [[-6, 8], "cst"],
  [[-5], "est cdt"],
  [[-4], "edt"],
  [[0], "wet"],
  [[1], "bst cet mez"],
  [[2], "cest mesz eet sast"],
  [[5.5, 2, 1], "ist"],
  [[3], "eest msk eat"],
  [[8], "sgt hkt awst"],
  [[9], "jst kst"],
  [[10], "aest"],
  [[11], "aedt"],
  [[12], "nzst"],
  [[13], "nzdt"],
]);
const zoneName =
  / \(?(?:([A-Z]{2,4})(?![\p{L}\p{N}])|(Pacific|Mountain|Central|Eastern)(?:(?: Standard| Daylight)? [Tt]ime|(?! \p{Lu}|\p{L})))\)?/uy;

/** Adds the offsets of the time zone that a name after the time states. */
function inNamedZone(text: string, time: TimePart): TimePart {
  const [whole, letters, words] = match(zoneName, text, time.end) ?? [];
  const hours = zoneNames.get((letters ?? words ?? "").toLowerCase());
  if (whole === undefined || hours === undefined) return time;
  const isOfBoth = /^(?:.t|.{5,})$/i.test(letters ?? words ?? "");
  const times = hours.flatMap((hour, at) => {
    const season: Season = at === 0 ? "winter" : "summer";
    const zone = { ...(isOfBoth ? { season } : {}), offsetMinutes: hour * 60 } as const;
    return time.times.map((all) =>
      all.map((one) => (one.offsetMinutes === null ? { ...one, ...zone } : one)),
    );
  });
  return { end: time.end + whole.length, times };
}

function halfDays(text: string, at: number): TimePart | undefined {
  const short = match(shortHalfDay, text, at);
  if (short !== null) {
    const value = seconds(short[1], short[2], undefined, short[3]);
    if (value === undefined) return undefined;
    return { end: shortHalfDay.lastIndex, times: [[{ seconds: value, offsetMinutes: null }]] };
  }
  const found = match(halfDay, text, at);
  if (found === null) return undefined;
  const [, fromHour, fromMinute, fromSecond, fromHalf, hour, minute, second, half] = found;
  const end = seconds(hour, minute, second, half);
  if (end === undefined) return undefined;
  const zoned = withZone(text, halfDay.lastIndex);
  const last = { seconds: end, offsetMinutes: zoned.offsetMinutes };
  if (fromHour === undefined) return { end: zoned.end, times: [[last]] };
  // In `11-2 pm`, 11 is in the morning. If only the second time has `am` or `pm`, both halves of the day are possible for the first.
  const starts = fromHalf === undefined ? ["a", "p"] : [fromHalf];
  const times = starts.flatMap((own) => {
    const start = seconds(fromHour, fromMinute, fromSecond, own);
    return start === undefined ? [] : [[{ ...last, seconds: start }, last]];
  });
  return { end: zoned.end, times };
}

function plainTime(text: string, at: number, isStamp: boolean): TimePart | undefined {
  for (const pattern of [withUhr, military, withLetter, clock]) {
    const found = match(pattern, text, at);
    if (found === null) continue;
    const [whole, hour = found[3] ?? found[5] ?? "", minute = found[4] ?? found[6], third] = found;
    const second = pattern === clock ? third : undefined;
    const value = seconds(hour, minute, second, undefined);
    if (value === undefined) continue;
    const zoned = withZone(text, at + whole.length, isStamp);
    if (/^[:\p{L}\p{N}]/u.test(text.slice(zoned.end, zoned.end + 1))) continue;
    const time = { seconds: value, offsetMinutes: zoned.offsetMinutes };
    // Without `am` and `pm`, `2:30` can also mean 14:30, unless times nearby use 24 hours.
    const isEither =
      pattern === clock &&
      !isStamp &&
      !hasLateHours.test(text.slice(Math.max(0, at - NEAR), at + NEAR)) &&
      !hour.startsWith("0") &&
      Number(hour) <= (zoned.offsetMinutes === null ? 12 : 11);
    const seconds12 = (value + 43_200) % 86_400;
    const later = { ...time, seconds: seconds12, isGuess: true };
    return { end: zoned.end, times: isEither ? [[time], [later]] : [[time]] };
  }
  return undefined;
}

const NEAR = 120;
const hasLateHours = /(?<![\d:.])(?:0\d|1[3-9]|2[0-3]):[0-5]\d(?![\d:])/;

function spokenTime(text: string, at: number): TimePart | undefined {
  const past = match(hourParts, text, at);
  if (past !== null) return partsOfHour(past, hourParts.lastIndex);
  const found = match(word, text, at);
  if (found === null) return undefined;
  const value = found[1]?.toLowerCase() === "midnight" ? 0 : 43_200;
  return { end: word.lastIndex, times: [[{ seconds: value, offsetMinutes: null }]] };
}

/** Returns the time for `half past 3` and `quarter to 5`. */
function partsOfHour(
  [, part = "", side = "", hour = ""]: RegExpExecArray,
  end: number,
): TimePart | undefined {
  const minutes = /^h/i.test(part) ? 30 : 15;
  const noon = Number(hour) * 60 + (/^(?:to|before)$/i.test(side) ? -minutes : minutes);
  if (Number(hour) > 12) return undefined;
  const times = [noon, noon + 720].map((inDay) => [
    { seconds: ((inDay + 1440) % 1440) * 60, offsetMinutes: null },
  ]);
  return { end, times };
}

function seconds(
  hourText: string | undefined,
  minuteText = "0",
  secondText = "0",
  half: string | undefined,
): number | undefined {
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (minute > 59 || second > 59) return undefined;
  if (half === undefined) return hour > 24 ? undefined : ((hour % 24) * 60 + minute) * 60 + second;
  if (hour < 1 || hour > 12) return undefined;
  const inDay = (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return (inDay * 60 + minute) * 60 + second;
}

/**
 * Returns the end and the UTC offset (minutes) of a time zone at a position. `09:00-12:00` is a range, not a zone, except in a time stamp.
 */
function withZone(
  text: string,
  at: number,
  isStamp = false,
): { readonly end: number; readonly offsetMinutes: number | null } {
  const found = match(zone, text, at);
  if (found === null) return { end: at, offsetMinutes: null };
  const [whole, named, sign, hours, minutes = "0"] = found;
  if (sign === undefined) return { end: at + whole.length, offsetMinutes: 0 };
  const isRange = sign === "-" && !isStamp;
  if (named === undefined && (isRange || whole.startsWith(" ") || !/^[+-]\d{2}(?::?\d{2})?$/.test(whole)))
    return { end: at, offsetMinutes: null };
  const offset = Number(hours) * 60 + Number(minutes);
  return { end: at + whole.length, offsetMinutes: sign === "-" ? -offset : offset };
}
