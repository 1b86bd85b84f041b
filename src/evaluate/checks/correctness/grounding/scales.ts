import { type Decimal, decimal, powerOfTen } from "./decimal.ts";

const scales: ReadonlyMap<string, Decimal> = new Map(
  (
    [
      [3, "k K thousand thousands tausend tsd mil mille mila duizend тыс тысяч тысячи 千"],
      [5, "lakh lakhs"],
      [
        6,
        "M m mn mio mln million millions mill millionen millón millones milhão milhões milione milioni miljoen млн миллион миллиона миллионов",
      ],
      [7, "crore crores"],
      [
        9,
        "B b bn bln mrd billion billions milliarde milliarden milliard milliards miliardo miliardi miljard млрд миллиард миллиарда миллиардов Md Mds",
      ],
      [12, "T tn trillion trillions billionen billones 兆"],
      [4, "万 萬"],
      [8, "億 亿"],
      [2, "hundred"],
    ] as const
  ).flatMap(([exponent, words]) => words.split(" ").map((word) => [word, powerOfTen(exponent)] as const)),
);
const dozens: ReadonlySet<string> = new Set([
  "dozen",
  "dozens",
  "dutzend",
  "douzaine",
  "douzaines",
  "docena",
  "docenas",
]);
const twelve = decimal("12");

/** Returns the factor of a scale word, such as `million`; undefined for other words. */
export function scaleOf(word: string): Decimal | undefined {
  if (dozens.has(word.toLowerCase())) return twelve;
  return scales.get(word) ?? (word.length > 1 ? scales.get(word.toLowerCase()) : undefined);
}
