import { type Decimal, decimal, times } from "./decimal.ts";
import { prefixed, prefixedWords, prefixes, type Row, rows, wordPrefixes } from "./unit-table.ts";

/** A unit: dimension, and factor to the base unit of the dimension. */
export interface Unit {
  readonly dimension: string;
  readonly factor: Decimal;
}

const one = decimal("1");
const hundredth = decimal("0.01");
const dollars = ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"];
/** Currencies that the word `crown` may mean. The first entry stands for a crown of an unknown country. */
const crowns = ["crown", "SEK", "NOK", "DKK", "ISK", "CZK"];
const pesos = ["peso", "MXN", "ARS", "CLP", "COP", "PHP"];

/** Returns one unit for each currency code. The factor is 1, or 0.01 for hundredths such as cents. */
function money(codes: readonly string[], factor = one): readonly Unit[] {
  return codes.map((dimension) => ({ dimension, factor }));
}

/** Returns the unit that is a hundredth of a currency; empty if the text is not a currency. */
export function minorUnitOf(currency: string): readonly Unit[] {
  return (currencyOf(currency) ?? []).map(({ dimension }) => ({ dimension, factor: hundredth }));
}

/** Whether a unit is a hundredth of a currency, such as a cent. */
export function isCent({ dimension, factor }: Unit): boolean {
  return factor === hundredth && currencySigns.has(dimension);
}

const currencyCodes = (
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KWD MAD MXN MYR NGN NOK NZD " +
  "PEN BHD OMR JOD LKR BDT NPR GHS TZS UGX ETB DZD TND GEL KZT UYU BOB PYG CRC GTQ DOP JMD XOF XAF PHP PKR PLN QAR RMB RON RUB SAR SEK SGD THB TRY TWD UAH USD USDC USDT VND ZAR BTC ETH"
).split(" ");

/** Whether a dimension is a currency. */
export function isMoney(dimension: string): boolean {
  return currencyCodes.includes(dimension);
}

/** Units by currency sign or code, which are case-sensitive. */
const currencySigns: ReadonlyMap<string, readonly Unit[]> = new Map([
  ...currencyCodes.map((code) => [code, money([code === "RMB" ? "CNY" : code])] as const),
  ["$", money(dollars)],
  ["US$", money(["USD"])],
  ["U$S", money(["USD"])],
  ["CA$", money(["CAD"])],
  ["C$", money(["CAD"])],
  ["A$", money(["AUD"])],
  ["AU$", money(["AUD"])],
  ["NZ$", money(["NZD"])],
  ["HK$", money(["HKD"])],
  ["S$", money(["SGD"])],
  ["NT$", money(["TWD"])],
  ["MX$", money(["MXN"])],
  ...["$US", "$ US", "$CA", "$ CA", "$AU", "$ AU"].map(
    (sign) => [sign, money([`${sign.slice(-2)}D`])] as const,
  ),
  ["₱", money(["PHP"])],
  ["R$", money(["BRL"])],
  ["€", money(["EUR"])],
  ["£", money(["GBP"])],
  ["¥", money(["JPY", "CNY"])],
  ["₹", money(["INR"])],
  ["₩", money(["KRW"])],
  ["₽", money(["RUB"])],
  ["₺", money(["TRY"])],
  ["₴", money(["UAH"])],
  ["₪", money(["ILS"])],
  ["₫", money(["VND"])],
  ["₦", money(["NGN"])],
  ["฿", money(["THB"])],
  ["₿", money(["BTC"])],
  ["¢", money(["USD", "CAD", "AUD", "EUR"], hundredth)],
  ["Rs", money(["INR", "PKR"])],
  ["Rs.", money(["INR", "PKR"])],
  ["Fr.", money(["CHF"])],
  ["kr", money(crowns)],
  ["kr.", money(crowns)],
]);

/**
 * Returns the currencies that a sign or code may mean; undefined if the text is neither. An unknown currency sign is a dimension itself.
 */
export function currencyOf(sign: string): readonly Unit[] | undefined {
  return currencySigns.get(sign) ?? (/^\p{Sc}$/u.test(sign) ? money([sign]) : undefined);
}

const longestFirst = [...currencySigns.keys()].sort((a, b) => b.length - a.length);
/** Pattern source of a currency sign or code. */
export const currencyPattern = `(?:${longestFirst.map((sign) => sign.replace(/[$.]/g, String.raw`\$&`)).join("|")}|\\p{Sc})`;

const prefixedRows: readonly Row[] = prefixed.flatMap(([dimension, symbol]) =>
  prefixes.map(([prefix, factor]): Row => [dimension, factor, prefix + symbol]),
);

const wordRows: readonly Row[] = prefixedWords.flatMap(([dimension, factor, word]) =>
  wordPrefixes.flatMap(([prefix, size]): Row[] => {
    const { digits, exponent } = times(decimal(factor), decimal(size));
    const value = Number(`${digits}e${exponent}`).toFixed(15);
    return [prefix + word, `${prefix}${word}s`].map((written): Row => [dimension, value, written]);
  }),
);

const spelled: readonly (readonly [words: string, units: readonly Unit[]])[] = [
  ["dollar dollars", money(dollars)],
  ["franc francs", money(["CHF", "EUR"])],
  ["peso pesos", money(pesos)],
  ["krone kroner krona kronor", money(crowns)],
  ["couronne couronnes corona coronas kronen coroane", money(crowns)],
  ["dirham dirhams", money(["AED", "MAD"])],
  ["riyal riyals", money(["SAR", "QAR"])],
  ["rupia rupias", money(["INR", "IDR"])],
  ["soles", money(["PEN"])],
  ["cent cents", money([...dollars, "EUR"], hundredth)],
  ["centime centimes", money(["EUR", "CHF"], hundredth)],
  ["rappen", money(["CHF"], hundredth)],
  ["céntimo céntimos centesimi", money(["EUR"], hundredth)],
  ["centavo centavos", money(["MXN", "ARS", "CLP", "COP", "PHP", "BRL", "USD"], hundredth)],
  ["grosz grosze groszy", money(["PLN"], hundredth)],
  ["öre øre", money(crowns, hundredth)],
  ["paise", money(["INR"], hundredth)],
  ["p pence penny", money(["GBP"], hundredth)],
  ["pound pounds libra libras", [...money(["GBP"]), { dimension: "mass", factor: decimal("0.45359237") }]],
  ["pfund", [...money(["GBP"]), { dimension: "mass", factor: decimal("0.5") }]],
  ["livre livres", [...money(["GBP"]), { dimension: "mass", factor: decimal("0.5") }]],
  [
    "° degree degrees deg grad degré degrés grado grados gradi grau graus grader graden stopni stupňů astetta derece градусов 度",
    money(["degrees", "celsius", "fahrenheit"]),
  ],
];

const measures: ReadonlyMap<string, readonly Unit[]> = measuresOf();

function measuresOf(): ReadonlyMap<string, readonly Unit[]> {
  const found = new Map<string, readonly Unit[]>();
  const named = new Set(rows.flatMap(([, , words]) => words.split(" ")));
  const all = [...rows, ...[...prefixedRows, ...wordRows].filter(([, , symbol]) => !named.has(symbol))].map(
    ([dimension, factor, words]) => [words, [{ dimension, factor: decimal(factor) }]] as const,
  );
  for (const [words, units] of [...all, ...spelled])
    for (const word of words.split(" ")) found.set(word, [...(found.get(word) ?? []), ...units]);
  return found;
}

/** Returns the units that a word may mean; undefined if the word is not a unit. */
export function unitsOf(word: string): readonly Unit[] | undefined {
  const exact = measures.get(word) ?? currencySigns.get(word);
  if (exact !== undefined || word.length === 1) return exact;
  const lower = word.toLowerCase();
  return lower.length > 2 || word === word.toUpperCase() ? measures.get(lower) : undefined;
}
