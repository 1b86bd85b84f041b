import { isSamePhone } from "./digit-groups.ts";
import {
  codeKey,
  isSame,
  isPerhapsSame,
  isSameSeries,
  type Meaning,
  plainNumber,
  type Quantity,
  quantityKeys,
  type Series,
} from "./meaning.ts";
import type { TextValue } from "./reading.ts";
import type { TimeOfDay } from "./times.ts";

/** Values of the evidence, indexed by meaning. `has` looks up a value of the answer. */
export class KnownValues {
  readonly #quantities = new Map<string, Map<string, Quantity>>();
  readonly #series = new Map<string, Series[]>();
  /** Keys of values that are compared as text. A key begins with the kind of the value: "date 2025-03-09". */
  readonly #keys = new Set<string>();
  /**
   * Digits of possible telephone or account numbers, by the last 7 digits, then by all digits. The value is true for a telephone number.
   */
  readonly #digits = new Map<string, Map<string, boolean>>();
  /**
   * Times of day in seconds since midnight, each with the UTC offsets in minutes that the evidence states. A null offset means that the
   * evidence has the time without a time zone.
   */
  readonly #times = new Map<number, Set<number | null>>();

  add({ kind, text, readings }: TextValue): void {
    if (kind === null) this.#keys.add(`unread ${text.toLowerCase()}`);
    for (const reading of readings) for (const meaning of reading) this.#add(meaning);
  }

  has({ kind, text, readings, alsoKnownBy = [] }: TextValue): boolean {
    if (kind === null && this.#keys.has(`unread ${text.toLowerCase()}`)) return true;
    return [...readings, ...alsoKnownBy].some((reading) => reading.every((meaning) => this.#has(meaning)));
  }

  /** Whether the evidence contains a value that may have the same meaning (`isPerhapsSame`), although `has` is false. */
  mayHave({ readings }: TextValue): boolean {
    return readings.some((reading) => reading.every((meaning) => this.#mayHave(meaning)));
  }

  #mayHave(meaning: Meaning): boolean {
    switch (meaning.is) {
      case "quantity":
        return this.#hasQuantity(meaning, isPerhapsSame);
      case "series":
        return this.#hasSeries(meaning, isPerhapsSame);
      case "date":
        return this.#hasDate(meaning.form);
      case "time":
        return this.#hasTime(meaning) || this.#keys.has(`${GUESS}time ${meaning.seconds}`);
      case "digits":
      case "version":
      case "code":
      case "address":
        return this.#has(meaning);
    }
  }

  #add(meaning: Meaning): void {
    switch (meaning.is) {
      case "quantity":
        return this.#addQuantity(meaning);
      case "series":
        return this.#addSeries(meaning);
      case "date":
        return this.#addDate(meaning.form);
      case "time": {
        if (meaning.isGuess === true) {
          this.#keys.add(`${GUESS}time ${meaning.seconds}`);
          return;
        }
        // `14:30:15` is also evidence for `14:30`.
        for (const seconds of new Set([meaning.seconds, meaning.seconds - (meaning.seconds % 60)])) {
          const offsets = this.#times.get(seconds) ?? new Set();
          this.#times.set(seconds, offsets.add(meaning.offsetMinutes));
          if (meaning.offsetMinutes !== null)
            this.#keys.add(`instant ${instant(seconds, meaning.offsetMinutes)} ${meaning.season ?? ""}`);
        }
        return;
      }
      case "digits":
        return this.#addDigits(meaning.digits, meaning.isPhone);
      case "version":
        return this.#addVersion(meaning.key, meaning.isWhole === true);
      case "code":
        this.#keys.add(`code ${meaning.key}`);
        if (meaning.isWhole === true) return;
        for (const [at, run] of meaning.key.split("-").entries())
          this.#addPart(run, meaning.key.split("-")[at - 1]);
        this.#addStarts(meaning.key.replaceAll("-", ""));
        if (LABELLED.test(meaning.key)) this.#keys.add(`code ${meaning.key.replace(LABELLED, "")}`);
        return;
      case "address":
        this.#keys.add(`address ${meaning.key}`);
    }
  }

  #addQuantity(read: Quantity): void {
    const quantity = { ...read, signs: read.evidenceSigns ?? read.signs };
    const { signs, units, letterUnits, per } = quantity;
    const flags = [units === null, ...flagNames.map((name) => quantity[name] === true)]
      .map((flag) => (flag ? 1 : 0))
      .join("");
    const dimensions = (units ?? letterUnits)?.map(
      ({ dimension, factor }) => `${dimension}${factor.digits}e${factor.exponent}`,
    );
    const signature = [
      signs.join(""),
      dimensions?.join(",") ?? "-",
      per ?? "-",
      flags,
      read.prefix ?? "-",
      read.suffix ?? "-",
      read.decimals ?? "-",
    ].join(" ");
    for (const key of quantityKeys(quantity)) {
      const same = this.#quantities.get(key);
      if (same === undefined) this.#quantities.set(key, new Map([[signature, quantity]]));
      else same.set(signature, quantity);
    }
  }

  #addSeries(series: Series): void {
    for (const part of series.parts) this.#addQuantity({ ...part, inSeries: true });
    const [first] = series.parts;
    if (first === undefined) return;
    for (const key of quantityKeys(first)) {
      const others = this.#series.get(key) ?? [];
      if (others.length === 0) this.#series.set(key, others);
      if (others.length < MOST_ALIKE && !others.some((other) => isSameSeries(series, other)))
        others.push(series);
    }
  }

  #addDate(form: string): void {
    this.#keys.add(`date ${form}`);
    const [, year, month = "", day] = DATE.exec(form) ?? [];
    if (year !== undefined) {
      this.#keys.add(`date ${year}-${month}`);
      this.#addPart(year);
      if (day !== undefined) this.#keys.add(`dated --${month}-${day}`);
    }
    if (day !== undefined) this.#keys.add(`day ${Number(day)}`);
    const [, inYear, period] = PERIOD.exec(form) ?? [];
    if (inYear === undefined || period === undefined) return;
    this.#keys.add(`dated --${period}`);
    this.#addPart(inYear);
  }

  /** Adds the first and the last characters of hashes and UUIDs, because answers often contain only these characters. */
  #addStarts(hex: string): void {
    if (!HASH.test(hex)) return;
    for (let length = SHORTEST_START; length <= LONGEST_START; length++) {
      for (const part of [hex.slice(0, length), hex.slice(-length)]) {
        this.#keys.add(`code ${codeKey(part)}`);
        this.#addPart(part);
      }
    }
  }

  #addDigits(digits: string, isPhone: boolean): void {
    const key = digits.slice(-LAST);
    const alike = this.#digits.get(key) ?? new Map<string, boolean>();
    this.#digits.set(key, alike.set(digits, isPhone || alike.get(digits) === true));
    if (digits.length <= LONGEST_SHORT) this.#addPart(digits);
    // Cards and accounts are often abbreviated to their last four digits.
    if (digits.length < 12) return;
    this.#addPart(digits.slice(-4));
    this.#keys.add(`code ${digits.slice(-4)}`);
  }

  /**
   * Adds a version and its beginnings: `3.11.2` is evidence for 3.11 and 3. A pre-release such as `3.11.2-rc.1` is not evidence for 3.11.2.
   */
  #addVersion(key: string, isWhole: boolean): void {
    const [release = "", ...preRelease] = key.split("-");
    this.#keys.add(`version ${key}`);
    if (isWhole) return;
    if (/^\d+$/.test(key)) this.#addQuantity({ ...plainNumber(key), isPart: true });
    const parts = (preRelease.length === 0 ? release : preRelease.join("-")).split(".");
    const front = preRelease.length === 0 ? "" : `${release}-`;
    parts.forEach((_, at) => this.#keys.add(`in version ${front}${parts.slice(0, at + 1).join(".")}`));
  }

  /** Adds digits of a code or date, which answers may write alone: 4711 for ORD-4711. */
  #addPart(digits: string, before?: string): void {
    if (!/^\d{3,40}$/.test(digits)) return;
    this.#addQuantity({
      ...plainNumber(digits),
      isPart: true,
      ...(digits.startsWith("0") ? { isStripped: true } : {}),
      ...(before !== undefined && /^\p{L}{1,4}$/u.test(before) ? { prefix: before } : {}),
    });
  }

  #has(meaning: Meaning): boolean {
    switch (meaning.is) {
      case "quantity":
        return this.#hasQuantity(meaning);
      case "series":
        return this.#hasSeries(meaning);
      case "date":
        return this.#hasDate(meaning.form);
      case "time":
        return this.#hasTime(meaning);
      case "digits":
        return this.#hasDigits(meaning.digits, meaning.isPhone);
      case "version":
        return (
          this.#keys.has(`version ${meaning.key}`) ||
          (!meaning.hasZeros && this.#keys.has(`in version ${meaning.key}`))
        );
      case "code":
      case "address":
        return this.#keys.has(`${meaning.is} ${meaning.key}`);
    }
  }

  #hasSeries(stated: Series, isAlike = isSame): boolean {
    const [first] = stated.parts;
    const keys = first === undefined ? [] : quantityKeys(first);
    return keys.some(
      (key) => this.#series.get(key)?.some((evidence) => isSameSeries(stated, evidence, isAlike)) === true,
    );
  }

  #hasQuantity(stated: Quantity, isAlike = isSame): boolean {
    if (stated.isOrdinal === true && this.#keys.has(`day ${stated.value.digits}`)) return true;
    for (const key of quantityKeys(stated)) {
      for (const evidence of this.#quantities.get(key)?.values() ?? [])
        if (isAlike(stated, evidence)) return true;
    }
    return false;
  }

  /**
   * Whether the evidence contains the date. A date without a year matches that day in any year, and evidence without a year matches the day
   * with any year.
   */
  #hasDate(form: string): boolean {
    if (this.#keys.has(`date ${form}`)) return true;
    if (form.startsWith("--")) return this.#keys.has(`dated ${form}`);
    return DATE.test(form) && this.#keys.has(`date ${form.replace(/^\d{4}/, "-")}`);
  }

  /**
   * Whether the evidence contains the time. A time in a zone with winter and summer time matches times of the same season, and times whose
   * season is unknown.
   */
  #hasTime({ seconds, offsetMinutes, season }: TimeOfDay): boolean {
    const offsets = this.#times.get(seconds);
    if (offsetMinutes === null) return offsets !== undefined;
    if (offsets?.has(null) === true) return true;
    const key = `instant ${instant(seconds, offsetMinutes)}`;
    const seasons = season === undefined ? ["", "winter", "summer"] : ["", season];
    return seasons.some((one) => this.#keys.has(`${key} ${one}`));
  }

  #hasDigits(digits: string, isPhone: boolean): boolean {
    const alike = this.#digits.get(digits.slice(-LAST));
    if (alike === undefined) return false;
    if (alike.has(digits)) return true;
    for (const [evidence, wasPhone] of alike)
      if ((isPhone || wasPhone) && isSamePhone(digits, evidence)) return true;
    return false;
  }
}

/** Properties in which two otherwise equal quantities of the evidence can differ. */
const flagNames = [
  "isPrice",
  "isBeforeWord",
  "isWhole",
  "isGuess",
  "isDoubtful",
  "isPart",
  "inSeries",
  "isCount",
  "isNumerator",
  "isStripped",
] as const;
/** Matches letters that label a code of several groups, such as `fw` in the key of `FW_2.08r14`. */
const LABELLED = /^\p{L}+-(?=[^-]+-)/u;
/** Prefix of keys of times that may be in the morning or in the afternoon. */
const GUESS = "perhaps ";
const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/;
const SHORTEST_START = 7;
const LONGEST_START = 16;
/** Maximum number of digits of a short telephone number, such as 311. */
const LONGEST_SHORT = 6;
/** Number of last digits by which telephone numbers are indexed. */
const LAST = 7;
/** Maximum number of different series that begin with the same number. */
const MOST_ALIKE = 200;
/** Matches a year with a week, quarter or half-year: `2026-W07`, `2026-Q1`, `2026-H2`. */
const PERIOD = /^(\d{4})-([WQH]\d{1,2})$/;
const DATE = /^(?:(\d{4})|-)-(\d{2})(?:-(\d{2}))?$/;

/** Converts a time with a UTC offset in minutes to seconds since midnight in UTC. */
function instant(seconds: number, offsetMinutes: number): number {
  return (((seconds - offsetMinutes * 60) % 86_400) + 86_400) % 86_400;
}
