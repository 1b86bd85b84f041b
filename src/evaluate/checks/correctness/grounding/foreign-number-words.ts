/**
 * Number words of one language. `joints` are words inside a number, such as `und`. `articles` are definite articles. A measure after an
 * article (`die drei Tage`) is ignored, because the text mentioned it before.
 */
interface Language {
  /**
   * Number words in the order of `values`, separated by spaces. `|` separates spellings of one value; `_` stands for a value without a word
   * of its own.
   */
  readonly words: string;
  readonly joints: string;
  readonly articles: string;
  /** Plural units. A number word counts only before a unit of the same language: in English `Due minutes`, `Due` is not the Italian 2. */
  readonly units: string;
  /** Number words whose values are not in `values`. */
  readonly others?: Readonly<Record<string, number>>;
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
    articles: "die|der|den|diese[nr]?|beiden",
    units: String.raw`(?:werk|arbeits|kalender)?tage?n?|stunden|minuten|sekunden|wochen|monaten?|jahren?|euro|cent|franken|rappen|dollar|pfund|prozent|prozentpunkten?|promille|(?:zenti|milli|kilo)?metern?|kilogramm|kilo|gramm|liter|grad|meilen|gigabyte|megabyte|mal`,
  },
  {
    words:
      "un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize _ _ _ vingts?|vingt trente quarante cinquante soixante _ quatre-vingts? _ cents? mille",
    joints: "et",
    articles: "les|ces",
    units: String.raw`jours|heures|minutes|secondes|semaines|mois|ans|années|euros|centimes|francs|dollars|livres|(?:centi|milli|kilo)?mètres|kilos|(?:kilo)?grammes|litres|degrés|fois|pour (?:cent|mille)`,
  },
  {
    words:
      "un|uno|una dos|dós tres|trés cuatro cinco seis|séis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte|veinti treinta cuarenta cincuenta sesenta setenta ochenta noventa cien|cientos?|cientas mil",
    joints: "y",
    articles: "los|las|estos|estas",
    units: String.raw`días|horas|minutos|segundos|semanas|meses|años|euros|céntimos|centavos|pesos|dólares|libras|(?:centí|milí|kiló)?metros|kilos|(?:kilo|mili)?gramos|litros|grados|veces|por ciento`,
    others: { quinientos: 500, quinientas: 500, setecientos: 700, novecientos: 900 },
  },
  {
    words:
      "un|uno|una due tre|tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti|vent trenta|trent quaranta|quarant cinquanta|cinquant sessanta|sessant settanta|settant ottanta|ottant novanta|novant cento|cent mille|mila",
    joints: "e",
    articles: "i|gli|le|questi|queste",
    units: String.raw`giorni|ore|minuti|secondi|settimane|mesi|anni|euro|centesimi|dollari|sterline|(?:centi|milli|chilo)?metri|chili|grammi|litri|gradi|volte|per cento`,
  },
  {
    words:
      "um|uma dois|duas três quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem|cento mil",
    joints: "e",
    articles: "os|as|estes|estas|esses|essas",
    units: String.raw`dias|horas|minutos|segundos|semanas|meses|anos|euros|centavos|reais|dólares|libras|metros|quilômetros|quilómetros|quilos|gramas|litros|graus|vezes|por cento`,
  },
  {
    words:
      "een|één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend",
    joints: "en|ën",
    articles: "de|deze",
    units: String.raw`(?:werk)?dagen|uur|uren|minuten|seconden|weken|maanden|jaar|jaren|euro|cent|procent|(?:centi|milli|kilo)?meter|kilo|kilogram|gram|liter|graden|keer`,
  },
  {
    words:
      "один|одна два|две|двух три|трех|трёх четыре|четырех пять|пяти шесть|шести семь|семи восемь|восьми девять|девяти десять|десяти одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто тысяча|тысячи|тысяч",
    joints: "и",
    articles: "эти|эта",
    units: String.raw`дн[яей]+|час[аов]+|минуты?|секунды?|недел[иь]|месяц[аев]+|года|лет|руб\p{L}*|долларов|доллара|евро|процентов|процента|метр[аов]+|километров|килограммов`,
  },
];

interface Compiled {
  /** Matches a phrase: an article, one number or the two numbers of a range, and the unit. */
  readonly phrase: RegExp;
  readonly part: RegExp;
  /** First two or three letters of all number words (`beginningOf`). */
  readonly beginnings: ReadonlySet<string>;
  readonly valueOf: ReadonlyMap<RegExp, number>;
}

const RANGE = " (?:bis|à|al?|hasta|até|tot|до|ou?|oder|of|или|-) ";

const compiled: readonly Compiled[] = languages.map(({ words, joints, articles, units, others = {} }) => {
  const written = words.split(" ").map((word, at) => [word, values[at] ?? 0] as const);
  const known = [...written.filter(([word]) => word !== "_"), ...Object.entries(others)];
  const longest = known.flatMap(([word]) => word.split("|")).sort((a, b) => b.length - a.length);
  const word = `(?:${longest.join("|")})`;
  const number = `${word}(?:(?:[- ]?(?:${joints})[- ]?|[- ]?)${word}){0,6}`;
  return {
    phrase: new RegExp(
      String.raw`(?<![\p{L}\p{N}-])(?:(${articles}) )?(?:(${number})(?:${RANGE}))?(${number})([- ']|(?=mal))(${units}|%|€)(?![\p{L}\p{N}])`,
      "giu",
    ),
    part: new RegExp(word, "giu"),
    beginnings: new Set(longest.map(beginningOf)),
    valueOf: new Map(known.map(([one, value]) => [new RegExp(`^(?:${one})$`, "iu"), value])),
  };
});

/** A measure whose number word is not English. */
export interface ForeignNumber {
  readonly index: number;
  /** The measure as written, with its unit. */
  readonly text: string;
  /** The measure with digits: `5-7 jours` for `cinq à sept jours`. */
  readonly read: string;
  readonly unit: string;
}

/**
 * Returns measures whose number is written in words and is at least 2. Measures after a definite article, such as `die drei Tage`, are
 * excluded.
 */
export function foreignNumbers(text: string): readonly ForeignNumber[] {
  const begun = [...new Set((text.match(/\p{L}+/gu) ?? []).map(beginningOf))];
  // The search for phrases is slow, so only languages whose number words may occur in the text are searched.
  const all = compiled
    .filter(({ beginnings }) => begun.some((one) => beginnings.has(one) || beginnings.has(one.slice(0, 2))))
    .flatMap((language) => numbersIn(text, language));
  // `dos mil euros` contains `mil euros`, which is also a phrase of another language. Only the longest phrase counts.
  const isWithin = (one: ForeignNumber, other: ForeignNumber): boolean =>
    one.text.length < other.text.length &&
    other.index <= one.index &&
    one.index + one.text.length <= other.index + other.text.length;
  const whole = all.filter((one) => !all.some((other) => isWithin(one, other)));
  return joined(
    text,
    whole.toSorted((a, b) => a.index - b.index),
  );
}

/** Returns the first three letters of a word (two if the word has two), in lower case. */
function beginningOf(word: string): string {
  return word.slice(0, 3).toLowerCase();
}

const gap = /^,? (?:(?:et|und|e|y|en|con) )?$/iu;

/** Joins the parts of one amount: `neun Euro und fünfzig Cent`. */
function joined(text: string, numbers: readonly ForeignNumber[]): readonly ForeignNumber[] {
  const all: ForeignNumber[] = [];
  for (const number of numbers) {
    const last = all.at(-1);
    const between = last && text.slice(last.index + last.text.length, number.index);
    if (last !== undefined && between !== undefined && gap.test(between) && last.unit !== number.unit)
      all[all.length - 1] = {
        ...last,
        text: `${last.text}${between}${number.text}`,
        read: `${last.read} and ${number.read}`,
      };
    else all.push(number);
  }
  return all;
}

function numbersIn(text: string, { phrase, part, valueOf }: Compiled): readonly ForeignNumber[] {
  return [...text.matchAll(phrase)].flatMap(
    ({ index, 0: whole, 1: article, 2: from, 3: to = "", 4: space = "", 5: unit = "" }) => {
      const numbers = [from, to].flatMap((words) =>
        numbersOf((words?.match(part) ?? []).map((one) => valueOfWord(one, valueOf))),
      );
      const [last = 0] = numbers.slice(-1);
      if (article !== undefined || last < 2 || numbers.length > 2) return [];
      return [{ index, text: whole, read: `${numbers.join("-")}${space || " "}${unit}`, unit }];
    },
  );
}

function valueOfWord(word: string, valueOf: ReadonlyMap<RegExp, number>): number {
  for (const [pattern, value] of valueOf) if (pattern.test(word)) return value;
  return 0;
}

/**
 * Combines the values of number words: `[3, 100, 20, 2]` to 322, `[2, 1000]` to 2000, `[5, 20]` (`fünfundzwanzig`) to 25. `[5, 7]` (`cinq
 * et sept`) stays two numbers.
 */
function numbersOf(parts: readonly number[]): readonly number[] {
  const numbers: number[] = [];
  let thousands = 0;
  let below = 0;
  let isBegun = false;
  for (const value of parts) {
    if (value === 1000) {
      thousands += (below || 1) * 1000;
      below = 0;
    } else if (value === 100 && below < 10) below = (below || 1) * 100;
    else if (!isBegun || mayFollow(below % 100, value)) below += value;
    else {
      numbers.push(thousands + below);
      thousands = 0;
      below = value;
    }
    isBegun = true;
  }
  return isBegun ? [...numbers, thousands + below] : numbers;
}

/** Whether a value below 100 can follow another value within one number: `vingt-deux`, `soixante-dix`, `zweiundzwanzig`. */
function mayFollow(before: number, value: number): boolean {
  if (before === 0) return true;
  const isTens = before >= 20 && before % 10 === 0;
  if (isTens) return value < 10 || ((before === 60 || before === 80) && value < 20);
  // Accepts `dix-sept` and `quatre-vingt-dix-sept`.
  if (before % 20 === 10) return value >= 7 && value < 10;
  return before < 10 && value >= 20 && value % 10 === 0;
}

const HAN_DIGITS = "〇一二三四五六七八九";
const hanScales: ReadonlyMap<string, number> = new Map([
  ["十", 10],
  ["百", 100],
  ["千", 1000],
]);
/** Matches Chinese and Japanese numbers before a unit, but not words such as 十分 and 三菱. */
const hanNumber =
  /(?<![〇零一二两兩三四五六七八九十百千万萬億亿\d])([零〇一二两兩三四五六七八九十百千]{1,9})([万萬])?(?=天|日間|日间|小时|小時|時間|分钟|分鐘|分間|秒|週間|周|星期|[个個ヶか]月|年間|年间|円|元|欧元|美元|ユーロ|ドル|公里|公斤|割|時|パーセント|%)/gu;

/** Replaces Chinese and Japanese numbers of 2 or more before a unit by digits: 三天 becomes 3天. */
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

/** Matches a Korean number word and its unit. The value of the number word stays unknown. */
export const koreanNumber =
  /(?<![가-힣])(?:두|세|네|다섯|여섯|일곱|여덟|아홉|열[가-힣]{0,2}|스무|서른|마흔|쉰|[이삼사오육칠팔구십백천만]{1,6}) ?(?:시간|분|초|일|주일|주|개월|달|년|원|퍼센트)(?![가-힣]{2})/gu;
