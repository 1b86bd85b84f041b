/** Pattern sources of units of time, singular and plural. */
const EN = "(hour|day|week|month|year|minute|second)s?";
const DE = "(stunden?|tage?n?|wochen?|monate?n?|jahre?n?|minuten?)";
const FR = "(heure|journée|jour|semaine|mois|an|année|minute)s?";
const ES = "(hora|día|semana|mes|año|minuto)(?:e?s)?";
const IT = "(or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|minut[oi])";
const PT = "(hora|dia|semana|mês|mes|ano|minuto)(?:e?s)?";

/** Patterns of durations in words, and their numbers. The capturing group of each pattern is the unit of time. */
const spoken: readonly (readonly [words: string, value: number])[] = [
  [`half[- ](?:an? )?${EN}`, 0.5],
  [`an? ${EN} and a half`, 1.5],
  [`(?:an? )?quarter of an? ${EN}`, 0.25],
  [`three[- ]quarters of an? ${EN}`, 0.75],
  [`(?:eine[nmrs]? )?halbe[nmrs]? ${DE}`, 0.5],
  [`(?:anderthalb|eineinhalb) ${DE}`, 1.5],
  ["(?:eine[r]? )?viertel(stunde)", 0.25],
  ["(?:eine[r]? )?dreiviertel(stunde)", 0.75],
  [`(?:une? )?demi[- ]${FR}`, 0.5],
  [`(?<!\\p{L})(?<!(?:à|vers|dès) )une? ${FR} et demie?`, 1.5],
  ["(?:un )?quart d'(heure)", 0.25],
  ["trois quarts d'(heure)", 0.75],
  [`(?:un[oa]? )?medi[oa] ${ES}`, 0.5],
  [`una? ${ES} y medi[oa]`, 1.5],
  ["un cuarto de (hora)", 0.25],
  ["tres cuartos de (hora)", 0.75],
  ["mezz'(ora)", 0.5],
  [`un(?:'|a |o )${IT} e mezz[oa]`, 1.5],
  [`mei[oa] ${PT}`, 0.5],
  [`uma? ${PT} e mei[oa]`, 1.5],
  [`zweieinhalb ${DE}`, 2.5],
  [`dreieinhalb ${DE}`, 3.5],
  [`(?:deux|2) ${FR} et demie?`, 2.5],
  [`(?:dos|2) ${ES} y medi[oa]`, 2.5],
];
const patterns = spoken.map(
  ([words, value]) =>
    [
      new RegExp(
        `(?<![\\p{L}\\p{N}-])(?<!(?<!\\p{L})(?:and|und|et|y|e) (?:an? )?)${words}(?![\\p{L}\\p{N}])`,
        "giu",
      ),
      value,
    ] as const,
);
const any = /half|quarter|halb|viertel|demi|quart|medi|mezz|mei[oa]|cuarto/i;

/** Replaces durations with halves and quarters by digits: `an hour and a half` becomes `1.5 hour`. */
export function withSpokenDurations(text: string): string {
  if (!any.test(text)) return text;
  let read = text;
  for (const [pattern, value] of patterns)
    read = read.replace(pattern, (_, unit: string) => `${value} ${unit}`);
  return read;
}
