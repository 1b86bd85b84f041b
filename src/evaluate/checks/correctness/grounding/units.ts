import { type Decimal, decimal } from "./decimal.ts";

/** A unit: its dimension, and its factor to the base unit of the dimension. */
export interface Unit {
  readonly dimension: string;
  readonly factor: Decimal;
}

const one = decimal("1");
const hundredth = decimal("0.01");
const dollars = ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "ARS", "CLP", "COP", "TWD"];
const crowns = ["SEK", "NOK", "DKK", "ISK", "CZK"];

/** One unit, or a part of it, of each dimension. */
function money(codes: readonly string[], factor = one): readonly Unit[] {
  return codes.map((dimension) => ({ dimension, factor }));
}

/** Whether it is a hundredth of a currency. */
export function isCent({ dimension, factor }: Unit): boolean {
  return factor === hundredth && currencySigns.has(dimension);
}

const currencyCodes = (
  "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KWD MAD MXN MYR NGN NOK NZD " +
  "PEN PHP PKR PLN QAR RMB RON RUB SAR SEK SGD THB TRY TWD UAH USD USDC USDT VND ZAR BTC ETH"
).split(" ");

/** Whether a dimension is an amount of money. */
export function isMoney(dimension: string): boolean {
  return currencyCodes.includes(dimension);
}

/** Written before or after a number; letters in exactly this case. */
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

/** Any other sign of a currency is a dimension of its own. */
export function currencyOf(sign: string): readonly Unit[] | undefined {
  return currencySigns.get(sign) ?? (/^\p{Sc}$/u.test(sign) ? money([sign]) : undefined);
}

const longestFirst = [...currencySigns.keys()].sort((a, b) => b.length - a.length);
/** A currency in front of a number, for use in a sticky pattern. */
export const currencyPattern = `(?:${longestFirst.map((sign) => sign.replace(/[$.]/g, String.raw`\$&`)).join("|")}|\\p{Sc})`;

type Row = readonly [dimension: string, factor: string, words: string];

/** Dimension, factor to its base, and words. Words of one letter and those in capitals are compared as written, others without case. */
const rows: readonly Row[] = [
  ["USD", "1", "bucks долларов доллара dólares 美元 ドル"],
  ["EUR", "1", "euro euros евро ευρώ 欧元 ユーロ"],
  ["JPY", "1", "yen 円"],
  ["CNY", "1", "yuan renminbi 元"],
  ["INR", "1", "rupee rupees रुपये रुपए"],
  ["KRW", "1", "won 원"],
  ["CHF", "1", "franken"],
  ["PLN", "1", "zł zloty zlotys złotych złote"],
  ["CZK", "1", "Kč kč koruna korun"],
  ["HUF", "1", "Ft forint forints"],
  ["RON", "1", "lei leu"],
  ["BGN", "1", "лв лева лев"],
  ["RUB", "1", "руб рубль рубля рублей ruble rubles rouble roubles"],
  ["UAH", "1", "грн гривня гривень hryvnia hryvnias"],
  ["TRY", "1", "TL lira liras"],
  ["BRL", "1", "reais"],
  ["IDR", "1", "rupiah"],
  ["MYR", "1", "ringgit"],
  ["VND", "1", "đ đồng"],
  ["THB", "1", "baht บาท"],
  ["ZAR", "1", "rand"],
  ["NGN", "1", "naira"],
  ["ILS", "1", "shekel shekels"],
  ["GBP", "1", "quid sterling фунтов 英镑"],
  ["%", "1", "% percent pct prozent procent procenten процентов процента"],
  ["%", "0.1", "‰"],
  ["points", "1", "pp prozentpunkt prozentpunkte prozentpunkten procentpunten"],
  ["%", "0.01", "bps bp basispunkt basispunkte basispunkten basispunten"],
  ["points", "0.01", "bps bp basispunkt basispunkte basispunkten basispunten"],
  ["length", "0.000000001", "nm nanometer nanometers nanometre nanometres"],
  ["length", "0.000001", "µm μm um micron microns micrometer micrometers micrometre micrometres"],
  ["length", "0.001", "mm millimeter millimeters millimetre millimetres"],
  ["length", "0.01", "cm centimeter centimeters centimetre centimetres"],
  ["length", "1", "m meter meters metre metres mètre mètres metro metros metri метров метра"],
  [
    "length",
    "1000",
    "km kilometer kilometers kilometre kilometres kms kilomètre kilomètres kilómetro kilómetros chilometri quilómetros quilômetros километров 公里",
  ],
  ["length", "0.0254", "inch inches"],
  ["length", "0.3048", "ft foot feet"],
  ["length", "0.9144", "yd yard yards"],
  ["length", "1609.344", "mi mile miles"],
  ["length", "1852", "nmi NM seemeilen"],
  ["mass", "0.000001", "mg milligram milligrams"],
  ["mass", "0.000000001", "µg μg mcg microgram micrograms"],
  ["mass", "0.000000000001", "ng nanogram nanograms"],
  ["mass", "0.001", "g gram grams gramme"],
  ["mass", "1", "kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos килограммов 公斤"],
  ["mass", "1000", "t Mg tonne tonnes ton tons"],
  ["mass", "0.028349523125", "oz ounce ounces"],
  ["mass", "0.45359237", "lb lbs"],
  ["mass", "6.35029318", "stone"],
  ["volume", "0.000001", "µl μl µL μL microliter microliters microlitre microlitres"],
  ["volume", "0.001", "ml mL milliliter milliliters millilitre millilitres"],
  ["volume", "0.01", "cl"],
  ["volume", "0.1", "dl dL"],
  ["volume", "100", "hl hL"],
  ["volume", "1", "l L liter liters litre litres"],
  ["volume", "3.785411784", "gal gallon gallons"],
  ["cups", "1", "cup cups"],
  ["spoons", "1", "tbsp tablespoon tablespoons"],
  ["teaspoons", "1", "tsp teaspoon teaspoons"],
  ["time", "0.000001", "µs μs microsecond microseconds"],
  ["time", "0.001", "ms msec msecs millisecond milliseconds millis"],
  ["time", "0.000000001", "ns nanosecond nanoseconds"],
  [
    "time",
    "1",
    "s sec secs second seconds sekunde sekunden segundos secondes secondi seconden секунд секунды 秒 초",
  ],
  ["time", "60", "m min mins minute minutes minuten minutos minuti минут минуты 分钟 分鐘 分間 분"],
  [
    "time",
    "3600",
    "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur uren часа часов 小时 小時 時間 시간",
  ],
  [
    "time",
    "86400",
    "d day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen день дня дней 天 日間 日间 日 일",
  ],
  [
    "time",
    "604800",
    "wk wks week weeks woche wochen semaine semaines semana semanas settimana settimane weken недели недель 周 週間 星期 주 주일",
  ],
  [
    "months",
    "1",
    "mo mos month months monat monate monaten mois mes meses mês mesi maand maanden месяц месяца месяцев 个月 ヶ月 개월",
  ],
  [
    "months",
    "12",
    "y yr yrs year years jahr jahre jahren an ans année années año años ano anos anni jaar год года лет 年間 년",
  ],
  ["data", "0.125", "bit bits"],
  ["data", "1", "byte bytes B"],
  ["data", "1000", "KB kB kilobyte kilobytes"],
  ["data", "1000000", "MB megabyte megabytes"],
  ["data", "1000000000", "GB gigabyte gigabytes"],
  ["data", "1000000000000", "TB terabyte terabytes"],
  ["data", "1024", "KiB Ki"],
  ["data", "1048576", "MiB Mi"],
  ["data", "1073741824", "GiB Gi"],
  ["data", "1099511627776", "TiB Ti"],
  ["data", "125", "kbit Kbit kb Kb kilobit kilobits"],
  ["data", "125000", "Mbit Mb megabit megabits"],
  ["data", "125000000", "Gbit Gb gigabit gigabits"],
  ["pixels", "1", "px pixel pixels"],
  ["pixels", "1000000", "MP megapixel megapixels"],
  ["power", "1", "W watt watts"],
  ["power", "1000", "kW kilowatt kilowatts"],
  ["power", "1000000", "MW megawatt megawatts"],
  ["food energy", "1", "kcal calories calorie cal"],
  ["voltage", "1", "V volt volts"],
  ["current", "1", "A amp amps ampere amperes"],
  ["frequency", "1", "Hz hertz"],
  ["frequency", "1000", "kHz"],
  ["frequency", "1000000", "MHz"],
  ["frequency", "1000000000", "GHz"],
  ["power", "745.69987158227022", "hp bhp horsepower"],
  ["power", "735.49875", "PS ch"],
  ["light", "1", "lm lumen lumens"],
  ["illuminance", "1", "lx lux"],
  ["blood pressure", "1", "mmHg"],
  ["biological activity", "1", "IU"],
  ["beats", "1", "bpm BPM"],
  ["frames", "1", "fps FPS"],
  ["dots", "1", "dpi ppi"],
  ["parts per million", "1", "ppm"],
  ["parts per million", "0.001", "ppb"],
  ["pressure", "1", "hPa mbar"],
  ["pressure", "1000", "bar"],
  ["tyre pressure", "1", "psi"],
  ["force", "1", "N newton newtons"],
  ["sound", "1", "dB decibel decibels"],
  ["signal power", "1", "dBm"],
  ["torque", "1", "Nm"],
  ["celsius", "1", "°C C celsius centigrade"],
  ["fahrenheit", "1", "°F F fahrenheit"],
  ["kelvin", "1", "kelvin K"],
  ["area", "1", "m^2 m2 sqm"],
  ["area", "1000000", "km^2 km2"],
  ["area", "0.0001", "cm^2 cm2"],
  ["area", "0.000001", "mm^2 mm2"],
  ["area", "10000", "ha hectare hectares"],
  ["area", "0.09290304", "sqft ft^2 ft2"],
  ["area", "4046.8564224", "acre acres"],
  ["cubic", "1", "m^3 m3 cbm"],
  ["cubic", "0.000001", "cm^3 cm3 cc"],
  ["turns", "1", "rpm"],
  ["times", "1", "x times"],
];

/** Symbols that any prefix of the SI may precede, with their dimension. */
const prefixed: readonly (readonly [dimension: string, symbol: string])[] = [
  ["energy", "Wh"],
  ["joules", "J"],
  ["power", "W"],
  ["peak power", "Wp"],
  ["apparent power", "VA"],
  ["charge", "Ah"],
  ["voltage", "V"],
  ["current", "A"],
  ["frequency", "Hz"],
  ["pascals", "Pa"],
  ["force", "N"],
  ["substance", "mol"],
];

const prefixes: readonly (readonly [prefix: string, factor: string])[] = [
  ["", "1"],
  ["µ", "0.000001"],
  ["m", "0.001"],
  ["k", "1000"],
  ["M", "1000000"],
  ["G", "1000000000"],
  ["T", "1000000000000"],
];

const prefixedRows: readonly Row[] = prefixed.flatMap(([dimension, symbol]) =>
  prefixes.map(([prefix, factor]): Row => [dimension, factor, prefix + symbol]),
);

const spelled: readonly (readonly [words: string, units: readonly Unit[]])[] = [
  ["dollar dollars", money(dollars)],
  ["franc francs", money(["CHF", "EUR"])],
  ["peso pesos", money(["MXN", "ARS", "CLP", "COP", "PHP"])],
  ["krone kroner krona kronor", money(crowns)],
  ["cent cents", money([...dollars, "EUR"], hundredth)],
  ["pence penny", money(["GBP"], hundredth)],
  ["pound pounds", [...money(["GBP"]), { dimension: "mass", factor: decimal("0.45359237") }]],
  ["° degree degrees deg", money(["degrees", "celsius", "fahrenheit"])],
];

const measures: ReadonlyMap<string, readonly Unit[]> = measuresOf();

function measuresOf(): ReadonlyMap<string, readonly Unit[]> {
  const found = new Map<string, readonly Unit[]>();
  const named = new Set(rows.flatMap(([, , words]) => words.split(" ")));
  const all = [...rows, ...prefixedRows.filter(([, , symbol]) => !named.has(symbol))].map(
    ([dimension, factor, words]) => [words, [{ dimension, factor: decimal(factor) }]] as const,
  );
  for (const [words, units] of [...all, ...spelled])
    for (const word of words.split(" ")) found.set(word, [...(found.get(word) ?? []), ...units]);
  return found;
}

/** The units that a word can mean; undefined if it is not a unit. */
export function unitsOf(word: string): readonly Unit[] | undefined {
  const exact = measures.get(word) ?? currencySigns.get(word);
  if (exact !== undefined || word.length === 1) return exact;
  const lower = word.toLowerCase();
  return lower.length > 2 || word === word.toUpperCase() ? measures.get(lower) : undefined;
}
