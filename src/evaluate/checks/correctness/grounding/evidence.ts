import { isArray, isObject, type JsonValue, parseJson } from "../../../../model/json.ts";
import { fieldUnits, type UnitOfField } from "./field-units.ts";
import { KnownValues } from "./known-values.ts";
import { numberWordsAsDigits } from "./number-words.ts";
import { plainText } from "./plain-text.ts";
import { valuesIn } from "./read-values.ts";
import type { TextValue } from "./reading.ts";
import { unitsOf } from "./units.ts";

/** Evidence for an answer: query, tool results and retrievals. It can grow at any time. */
export class Evidence {
  readonly #values = new KnownValues();

  add(value: JsonValue | undefined): void {
    if (value !== undefined) this.#add(value, "", undefined);
  }

  /** Whether the value occurs, in whatever form. */
  grounds(value: TextValue): boolean {
    return this.#values.has(value);
  }

  #add(value: JsonValue, label: string, units: UnitOfField | undefined): void {
    if (isArray(value)) for (const item of value) this.#add(item, label, units);
    else if (isObject(value)) {
      const unitOf = fieldUnits(value);
      for (const [key, item] of Object.entries(value)) {
        this.#read(key, "", undefined);
        this.#add(item, key, unitOf);
      }
    } else if (typeof value === "number") this.#addNumber(value, label, units);
    else if (typeof value === "string") this.#addText(value, label, units);
  }

  #addNumber(value: number, label: string, units: UnitOfField | undefined): void {
    const written = String(value);
    this.#read(written, label, units);
    // Sums of binary fractions carry dust: 0.30000000000000004.
    if (written.length > 16) this.#read(String(Number(value.toPrecision(15))), label, units);
  }

  #addText(text: string, label: string, units: UnitOfField | undefined): void {
    const parsed = /^\s*[[{]/.test(text) ? parseJson(text) : undefined;
    if (parsed !== undefined && typeof parsed === "object") this.#add(parsed, label, units);
    else this.#read(text, label, units);
  }

  #read(text: string, label: string, units: UnitOfField | undefined): void {
    const plain = plainText(text);
    const spelled = numberWordsAsDigits(plain);
    const unit = units?.(label);
    for (const form of spelled === plain ? [plain] : [plain, spelled]) {
      for (const value of valuesIn(form, label))
        this.#values.add(unit === undefined ? value : inUnit(value, unit));
    }
  }
}

/** A value of a field whose unit is in its name or in a field beside it. */
function inUnit(value: TextValue, unit: string): TextValue {
  const units = unitsOf(unit) ?? null;
  const readings = value.readings.map((reading) =>
    reading.map((meaning) =>
      meaning.is === "quantity" && meaning.units === null ? { ...meaning, units } : meaning,
    ),
  );
  return { ...value, readings };
}
