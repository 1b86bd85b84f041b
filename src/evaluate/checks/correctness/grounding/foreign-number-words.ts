/** Number words of one language, with what may join them and what makes a count known to the reader. */
interface Language {
  /** `word` or `word|word`, in the order of `values`; empty for none. */
  readonly words: string;
  readonly joints: string;
  readonly articles: string;
  /** Units in the plural, which other languages write otherwise. */
  readonly units: string;
}

const values = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100,
  1000,
];

const languages: readonly Language[] = [
  {
    words:
      "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig|dreissig vierzig fünfzig sechzig siebzig achtzig neunzig hundert tausend",
    joints: "und",
    units: String.raw`tage?n?|stunden|minuten|sekunden|wochen|monaten?|jahren?|euro|franken|dollar|prozent|meter|kilometer|kilogramm|kilo|liter`,
    articles: "die|der|den|diese[nr]?|beiden",
  },
  {
    words:
      "un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize _ _ _ vingts?|vingt trente quarante cinquante soixante _ quatre-vingts? _ cents? mille",
    joints: "et",
    units: String.raw`jours|heures|minutes|secondes|semaines|mois|ans|années|euros|francs|dollars|mètres|kilomètres|kilos|kilogrammes|litres`,
    articles: "les|ces",
  },
  {
    words:
      "un|uno|una dos|dós tres|trés cuatro cinco seis|séis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte|veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa cien|cientos?|cientas mil",
    joints: "y",
    units: String.raw`días|horas|minutos|segundos|semanas|meses|años|euros|pesos|dólares|metros|kilómetros|kilos|kilogramos|litros`,
    articles: "los|las|estos|estas",
  },
  {
    words:
      "un|uno|una due tre|tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti|vent trenta|trent quaranta|quarant cinquanta|cinquant sessanta|sessant settanta|settant ottanta|ottant novanta|novant cento|cent mille|mila",
    joints: "e",
    units: String.raw`giorni|ore|minuti|secondi|settimane|mesi|anni|euro|metri|chilometri|chili|litri`,
    articles: "i|gli|le|questi|queste",
  },
  {
    words:
      "um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem|cento mil",
    joints: "e",
    units: String.raw`dias|horas|minutos|segundos|semanas|meses|anos|euros|reais|dólares|metros|quilômetros|quilómetros|quilos|litros`,
    articles: "os|as|estes|estas|esses|essas",
  },
  {
    words:
      "een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend",
    joints: "en|ën",
    units: String.raw`dagen|uur|uren|minuten|seconden|weken|maanden|jaar|jaren|euro|procent|meter|kilometer|kilo|kilogram|liter`,
    articles: "de|deze",
  },
  {
    words:
      "один|одна два|две|двух три|трех|трёх четыре|четырех пять|пяти шесть|шести семь|семи восемь|восьми девять|девяти десять|десяти одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто тысяча|тысячи|тысяч",
    joints: "и",
    units: String.raw`дн[яей]+|час[аов]+|минуты?|секунды?|недел[иь]|месяц[аев]+|года|лет|руб\p{L}*|долларов|доллара|процентов|процента|метр[аов]+|километров|килограммов`,
    articles: "эти|эта",
  },
];

interface Compiled {
  /** The words before a unit: an article, the number, the unit. */
  readonly phrase: RegExp;
  readonly part: RegExp;
  readonly valueOf: ReadonlyMap<RegExp, number>;
}

const compiled: readonly Compiled[] = languages.map(({ words, joints, articles, units }) => {
  const written = words.split(" ").map((word, at) => [word, values[at] ?? 0] as const);
  const known = written.filter(([word]) => word !== "_");
  const longest = known.flatMap(([word]) => word.split("|")).sort((a, b) => b.length - a.length);
  const word = `(?:${longest.join("|")})`;
  return {
    phrase: new RegExp(
      String.raw`(?<![\p{L}\p{N}-])(?:(${articles}) )?(${word}(?:(?:[- ]?(?:${joints})[- ]?|[- ]?)${word}){0,6})([- ])(${units})(?![\p{L}\p{N}])`,
      "giu",
    ),
    part: new RegExp(word, "giu"),
    valueOf: new Map(known.map(([one, value]) => [new RegExp(`^(?:${one})$`, "iu"), value])),
  };
});

/** A number in the words of another language than English, before a word that may be a unit. */
export interface ForeignNumber {
  readonly index: number;
  /** The number and the unit as written. */
  readonly text: string;
  readonly digits: string;
  readonly unit: string;
}

/** Number words from two upward in front of a word, without those that an article makes known: `die drei Tage`. */
export function foreignNumbers(text: string): readonly ForeignNumber[] {
  const all = compiled.flatMap((language) => numbersIn(text, language));
  // `dos mil euros` has `mil euros` of another language in it.
  const isWithin = (one: ForeignNumber, other: ForeignNumber): boolean =>
    one.text.length < other.text.length &&
    other.index <= one.index &&
    one.index + one.text.length <= other.index + other.text.length;
  return all.filter((one) => !all.some((other) => isWithin(one, other)));
}

function numbersIn(text: string, { phrase, part, valueOf }: Compiled): readonly ForeignNumber[] {
  return [...text.matchAll(phrase)].flatMap(
    ({ index, 0: whole, 1: article, 2: number = "", 4: unit = "" }) => {
      const parts = number.match(part) ?? [];
      const value = sumOf(parts.map((one) => valueOfWord(one, valueOf)));
      if (article !== undefined || value < 2) return [];
      const written = whole.slice(whole.length - number.length - 1 - unit.length);
      return [{ index: index + whole.length - written.length, text: written, digits: String(value), unit }];
    },
  );
}

function valueOfWord(word: string, valueOf: ReadonlyMap<RegExp, number>): number {
  for (const [pattern, value] of valueOf) if (pattern.test(word)) return value;
  return 0;
}

/** `[3, 100, 20, 2]` is 322, `[2, 1000]` is 2000, and `[5, 20]` of `fünfundzwanzig` is 25. */
function sumOf(parts: readonly number[]): number {
  let total = 0;
  let part = 0;
  for (const value of parts) {
    if (value === 100) part = (part || 1) * 100;
    else if (value === 1000) {
      total += (part || 1) * 1000;
      part = 0;
    } else part += value;
  }
  return total + part;
}

const HAN_DIGITS = "〇一二三四五六七八九";
const hanScales: ReadonlyMap<string, number> = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
]);
/** Chinese and Japanese numbers of two and more in front of a unit; words such as 十分 and 三菱 have none behind them. */
const hanNumber =
  /(?<![〇零一二两兩三四五六七八九十百千万萬億亿\d])([零〇一二两兩三四五六七八九十百千]{1,9})([万萬])?(?=天|日間|日间|小时|小時|時間|分钟|分鐘|分間|秒|週間|周|星期|[个個ヶか]月|年間|年间|円|元|欧元|美元|ユーロ|ドル|公里|公斤|%)/gu;

/** A text with the numbers of Chinese and Japanese before units as digits: 三天 → 3天. */
export function hanNumbersAsDigits(text: string): string {
  return text.replace(hanNumber, (whole, number: string, scale: string | undefined) => {
    const value = hanValue(number);
    return value < 2 && scale === undefined ? whole : `${value}${scale ?? ""}`;
  });
}

function hanValue(number: string): number {
  let total = 0;
  let digit: number | undefined;
  for (const sign of number.replace(/[两兩]/g, "二").replaceAll("零", "〇")) {
    const scale = hanScales.get(sign);
    if (scale === undefined) digit = HAN_DIGITS.indexOf(sign);
    else {
      total += (digit ?? 1) * scale;
      digit = undefined;
    }
  }
  return total + (digit ?? 0);
}

/** Korean number words before a unit, which are not read. */
export const koreanNumber =
  /(?<![가-힣])(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열[가-힣]{0,2}|스무|서른|마흔|쉰|[이삼사오육칠팔구십백천만]{1,6}) ?(?:시간|분|초|일|주일|주|개월|달|년|원|퍼센트)(?![가-힣]{2})/gu;
