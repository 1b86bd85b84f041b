/** Kinds of things that can be found in text without knowing whose they are. */
export const detectors = ["keys", "emails", "cards", "ibans", "ssns", "phones"] as const;
export type Detector = (typeof detectors)[number];

interface Finder {
  /** Its repetitions are bounded: time is linear to the text, whoever wrote it. */
  readonly pattern: RegExp;
  /** Whether what was found is one in earnest. */
  readonly holds?: (found: string) => boolean;
  /** What stands for it. */
  readonly words: string;
}

const key = (pattern: RegExp): Finder => ({ pattern, words: "[key]" });

/** Keys and tokens by the prefixes their makers give them, private keys, and what stands behind `password=` and the like. */
const keys: readonly Finder[] = [
  key(
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g,
  ),
  key(/\beyJ[\w-]{5,4000}\.[\w-]{5,4000}\.[\w-]{5,4000}/g),
  key(/\b(?:sk|pk|rk)[-_](?:[a-z]{1,12}[-_]){0,3}[\w-]{16,300}/g),
  key(/\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/g),
  key(/\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{20,255})/g),
  key(/\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g),
  key(/\bAIza[\w-]{35}/g),
  key(/\bya29\.[\w-]{20,2000}/g),
  key(/\b(?:hf_|npm_|dop_v1_|lsv2_pt_|r8_|shpat_|pypi-)[A-Za-z0-9_-]{20,300}/g),
  key(/\bSG\.[\w-]{16,64}\.[\w-]{16,128}/g),
  { pattern: /\b(Bearer|Basic) {1,3}[\w.~+/=-]{8,4000}/gi, words: "$1 [key]" },
  { pattern: /(:\/\/[^\s:/@]{0,200}:)[^\s:/@]{1,500}@/g, words: "$1[key]@" },
  {
    pattern:
      /\b((?:pass(?:word|wd)?|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret)\\?["']?[ ]{0,3}[=:][ ]{0,3}\\?["']?)[^\s"'\\,;&}\][]{4,500}/gi,
    words: "$1[key]",
  },
];

const finders: Readonly<Record<Detector, readonly Finder[]>> = {
  keys,
  emails: [
    {
      pattern: /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
      words: "[email]",
    },
  ],
  cards: [{ pattern: /(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d])/g, holds: isCard, words: "[card]" }],
  ibans: [
    {
      pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b/g,
      holds: isIban,
      words: "[iban]",
    },
  ],
  ssns: [{ pattern: /\b(?!000|666|9\d\d)\d{3}-(?!00)\d\d-(?!0000)\d{4}\b/g, words: "[ssn]" }],
  phones: [{ pattern: /(?<![\w.])\+\d{1,3}(?:[ .()-]{0,2}\d){7,12}(?![\d])/g, words: "[phone]" }],
};

/** The text with everything these detectors find replaced by what it is. */
export function replaceDetected(text: string, wanted: readonly Detector[]): string {
  let clean = text;
  for (const detector of wanted) {
    if (detector === "emails" && !clean.includes("@")) continue;
    for (const { pattern, holds, words } of finders[detector]) {
      clean =
        holds === undefined
          ? clean.replace(pattern, words)
          : clean.replace(pattern, (found) => (holds(found) ? words : found));
    }
  }
  return clean;
}

/** Luhn's check, over 13 to 19 digits that begin as cards do. */
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

/** ISO 7064: with the first four moved to the end and letters as numbers, it is 1 modulo 97. */
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
