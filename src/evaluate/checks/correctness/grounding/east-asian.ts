import { hanNumbersAsDigits } from "./foreign-number-words.ts";

/** Year before the first year of each Japanese era. */
const eras: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, 大正: 1911 };
const eraYear = /(令和|平成|昭和|大正) ?(元|\d{1,2})年/gu;
const halfHours = /(\d{1,3})(時間|小时|小時|시간) ?[半반]/gu;
const halfDay =
  /(?:(午前|上午|早上|凌晨|오전|清晨)|(?:午後|下午|晚上|오후|傍晚)) ?(\d{1,2})(?:[時时点點:]|시 ?)(?:(\d{1,2})[分분]?|([半반]))?(?!\d)/gu;
/** Matches the times `18時30分` and `18時半`. With 钟 after the minutes, the text is a duration. */
const clock = /(\d{1,2})(?:[時时点]|시(?!간) ?)(?:(\d{2})[分분](?![钟鐘間间])|([半반]))/gu;
const hour = /(\d{1,2})[時时](?![間间\d半])/gu;
/** Matches amounts with several scales, such as `3億5000万円`. */
const scaled = /(?:\d[\d,.]*兆)?(?:\d[\d,.]*[億亿])?(?:\d[\d,.]*[万萬])?\d*(?:,\d{3})*/gu;
const scaledPart = /(\d[\d,]*)([兆億亿万萬]?)/gu;
const zeros: Readonly<Record<string, number>> = { 兆: 12, 億: 8, 亿: 8, 万: 4, 萬: 4 };
const block = /(\d{1,3})丁目 ?(\d{1,4})(?:番地?(?:の|-)?|-)?(?:(\d{1,4})号?)?/gu;
const percentBefore = /百分之 ?(\d[\d.]*)/gu;
/** Matches shares in tenths: `3割` is 30 %, `2割5分` is 25 %. */
const tenths = /(\d)割(?:(\d)分)?/gu;

/** Converts East Asian dates, times, amounts and shares to common notations: `令和8年` becomes `2026年`. */
export function withCommonForms(text: string): string {
  return hanNumbersAsDigits(text)
    .replace(eraYear, (_, era: string, year: string) => {
      return `${(eras[era] ?? 0) + (year === "元" ? 1 : Number(year))}年`;
    })
    .replace(halfHours, (_, hours: string, unit: string) => `${hours}.5${unit}`)
    .replace(halfDay, clockOfHalfDay)
    .replace(clock, (_, hours: string, minutes: string | undefined) => ` ${hours}:${minutes ?? "30"} `)
    .replace(hour, " $1:00 ")
    .replaceAll("正午", " 12:00 ")
    .replace(block, (_, ...parts: readonly (string | undefined)[]) =>
      parts
        .slice(0, 3)
        .filter((part) => part !== undefined)
        .join("-"),
    )
    .replace(percentBefore, "$1%")
    .replace(tenths, (_, ten: string, one: string | undefined) => `${ten}${one ?? "0"}%`)
    .replace(scaled, sumOfScales);
}

function clockOfHalfDay(
  written: string,
  isMorning: string | undefined,
  hours: string,
  minutes: string | undefined,
  half: string | undefined,
): string {
  if (Number(hours) > 23) return written;
  const minute = half === undefined ? (minutes ?? "0") : "30";
  const clock = `${hours}:${minute.padStart(2, "0")}`;
  return Number(hours) > 12 || hours === "0"
    ? ` ${clock} `
    : ` ${clock} ${isMorning === undefined ? "pm" : "am"} `;
}

function sumOfScales(written: string): string {
  const parts = [...written.matchAll(scaledPart)].filter(([part]) => part !== "");
  const isSum = parts.length > 1 && parts.slice(0, -1).every(([, , scale]) => scale !== "");
  if (!isSum || written.includes(".")) return written;
  const total = parts.reduce(
    (sum, [, digits = "", scale = ""]) =>
      sum + BigInt(digits.replaceAll(",", "")) * 10n ** BigInt(zeros[scale] ?? 0),
    0n,
  );
  return String(total);
}
