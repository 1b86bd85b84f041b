const MORNING =
  "in the morning|de la mañana|de la madrugada|du matin|morgens|vormittags|in der früh|am morgen|am vormittag|di mattina|del mattino|da manhã|'s ochtends|'s morgens|утра";
const AFTERNOON =
  "in the afternoon|in the evening|de la tarde|du soir|de l'après-midi|nachmittags|abends|am nachmittag|am abend|del pomeriggio|di sera|da tarde|'s middags|'s avonds|вечера";
const NIGHT = "at night|de la noche|nachts|in der nacht|di notte|da noite|'s nachts|ночи";
const clock = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/-])(\d{1,2})(?:[:.h](\d{2}))?(?: ?(?:h|uhr|o'clock|horas?|heures?|ore|uur))?,? (?:(${MORNING})|(${AFTERNOON})|${NIGHT})(?!\p{L})`,
  "giu",
);
const any = new RegExp(`${MORNING}|${AFTERNOON}|${NIGHT}`, "iu");
const NOON = 12;
/** Hour below which `at night` means early morning: `at 3 at night` is 3:00, and `at 11 at night` is 23:00. */
const NIGHT_ENDS = 6;

/** For each language: a pattern of spoken times, the words for the hours 1 to 12, and the minutes to add for words such as `halb`. */
const spoken: readonly (readonly [
  RegExp,
  hours: readonly string[],
  minutes: Readonly<Record<string, number>>,
])[] = (
  [
    [
      "(halb|viertel nach|viertel vor|dreiviertel) (HOUR)",
      "ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf",
      { halb: -30, "viertel nach": 15, "viertel vor": -15, dreiviertel: -15 },
    ],
    [
      "(half|kwart over|kwart voor) (HOUR)(?= ')",
      "een|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf",
      { half: -30, "kwart over": 15, "kwart voor": -15 },
    ],
    [
      "(?<=las? )(HOUR) (y media|y cuarto|menos cuarto|en punto)",
      "una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce",
      { "y media": 30, "y cuarto": 15, "menos cuarto": -15, "en punto": 0 },
    ],
    [
      "(HOUR) heures? (et demie|et quart|moins le quart)",
      "une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze",
      { "et demie": 30, "et quart": 15, "moins le quart": -15 },
    ],
    [
      "(?<=alle )(HOUR) (e mezza|e un quarto|meno un quarto)",
      "una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici",
      { "e mezza": 30, "e un quarto": 15, "meno un quarto": -15 },
    ],
  ] as const
).map(([source, hours, minutes]) => [
  new RegExp(`(?<![\\p{L}\\p{N}])${source.replace("HOUR", hours)}(?![\\p{L}\\p{N}])`, "giu"),
  hours.split("|"),
  minutes,
]);
const anySpoken = /halb|viertel|half|kwart|media|cuarto|punto|heure|mezza|quarto/i;

/** Replaces times in words by digits: `halb vier` becomes `3:30`. */
export function withSpokenClocks(text: string): string {
  if (!anySpoken.test(text)) return text;
  let read = text;
  for (const [pattern, hours, minutes] of spoken)
    read = read.replace(pattern, (whole, first: string, second: string) => {
      const isHour = hours.includes(first.toLowerCase());
      const hour = hours.indexOf((isHour ? first : second).toLowerCase()) + 1;
      const part = minutes[(isHour ? second : first).toLowerCase()];
      if (hour === 0 || part === undefined) return whole;
      const inDay = (hour * 60 + part + 720) % 720 || 720;
      return `${Math.floor(inDay / 60) || NOON}:${String(inDay % 60).padStart(2, "0")}`;
    });
  return read;
}

/** Replaces words for parts of the day by `am` and `pm`: `9:45 de la noche` becomes `9:45 pm`. */
export function withHalfDays(text: string): string {
  if (!any.test(text)) return text;
  return text.replace(
    clock,
    (written, hours: string, minutes = "00", morning: string | undefined, later: string | undefined) => {
      const hour = Number(hours);
      if (hour > 24) return written;
      if (hour > NOON || hour === 0) return `${hours}:${minutes}`;
      const isNightsMorning = hour < NIGHT_ENDS || hour === NOON;
      const isMorning = morning !== undefined || (later === undefined && isNightsMorning);
      return `${hours}:${minutes} ${isMorning ? "am" : "pm"}`;
    },
  );
}
