import { replaceEncoded } from "./encoded.ts";
import { replaceKeys } from "./keys.ts";

/** Kinds of sensitive data that are recognised by their form. */
export const detectors = ["keys", "emails", "cards", "ibans", "ssns", "phones"] as const;
export type Detector = (typeof detectors)[number];

interface Finder {
  /**
   * Pattern that finds candidates. The repetitions of the pattern are bounded, so that the time is linear in
   * the length of the text.
   */
  readonly pattern: RegExp;
  /** Checks a candidate further, for example by its check digit. Returns true if it is sensitive data. */
  readonly confirms?: (found: string) => boolean;
  readonly replacement: string;
}

const personal: Readonly<Record<Exclude<Detector, "keys">, Finder>> = {
  emails: {
    pattern: /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
    replacement: "[email]",
  },
  cards: { pattern: /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d])/g, confirms: isCard, replacement: "[card]" },
  ibans: {
    pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
    confirms: isIban,
    replacement: "[iban]",
  },
  ssns: { pattern: /\b(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}\b/g, replacement: "[ssn]" },
  phones: { pattern: /(?<![\w.])\+\d{1,3}(?:[ .()-]{0,2}\d){7,12}(?![\d])/g, replacement: "[phone]" },
};

/**
 * Replaces sensitive data by its kind, such as `[email]`. A base64 word becomes `[encoded]` if its decoded text contains sensitive data. In
 * a percent-encoded word, only the sensitive data is replaced.
 */
export function replaceDetected(text: string, wanted: readonly Detector[]): string {
  return replaceIn(text, wanted, 0);
}

/** Matches every text that may contain a key. A text that matches neither this pattern nor `mayHoldPersonal` need not be searched. */
const mayHoldKey = /[^\s"'<>]{8}|[=:>,%-]|\s(?:is|was)\s/i;
/** Matches every text that may contain personal data. */
const mayHoldPersonal = /[@\d]/;

function replaceIn(text: string, wanted: readonly Detector[], depth: number): string {
  if (!mayHoldKey.test(text) && (!mayHoldPersonal.test(text) || isKeysOnly(wanted))) return text;
  let clean = text;
  for (const detector of wanted) {
    if (detector === "keys") {
      clean = replaceKeys(clean);
      continue;
    }
    if (detector === "emails" && !clean.includes("@")) continue;
    const { pattern, confirms, replacement } = personal[detector];
    clean = clean.replace(pattern, (found) => (confirms?.(found) === false ? found : replacement));
  }
  if (wanted.length === 0) return clean;
  return replaceEncoded(clean, "[encoded]", (inner, inside) => replaceIn(inner, wanted, inside), depth);
}

function isKeysOnly(wanted: readonly Detector[]): boolean {
  return wanted.every((one) => one === "keys");
}

/** Whether a text of 13 to 19 digits is a card number: it begins like one, and has a valid Luhn check digit. */
function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (!/^[2-6]/.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/**
 * Whether an IBAN has valid check digits (ISO 7064). Moves the first four characters to the end, replaces letters by numbers, and compares
 * the remainder modulo 97 with 1.
 */
function isIban(text: string): boolean {
  const compact = text.replaceAll(" ", "");
  if (compact.length < 15 || compact.length > 34) return false;
  let rest = 0;
  for (const character of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
