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
/** Hour until which an hour `at night` is in the early morning. */
const NIGHT_ENDS = 6;

/** Replaces parts of the day by `am` and `pm`: `9:45 de la noche` becomes `9:45 pm`. */
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
