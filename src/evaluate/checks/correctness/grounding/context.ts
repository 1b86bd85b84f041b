/** Words in front of a number that is a version: 3.10 is not 3.1 there. */
const versioned: ReadonlySet<string> = new Set(
  (
    "version versions ver v release build firmware revision rev python node nodejs java jdk php ruby golang rust ios android macos ubuntu debian windows " +
    "fedora chrome firefox safari react angular vue django rails laravel postgres postgresql mysql mariadb sqlite redis mongodb kubernetes docker " +
    "typescript npm pip swift kotlin perl tls ssl bluetooth usb gpt claude llama gemini mistral qwen openssl nginx apache linux kernel numpy pandas"
  ).split(" "),
);

export function isVersioned(word: string): boolean {
  const last = word.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).at(-1) ?? "";
  return versioned.has(last.toLowerCase());
}

const falls =
  /\b(?:fell|falls?|falling|drop(?:s|ped|ping)?|down|decreas(?:e|es|ed|ing)|declin(?:e|es|ed|ing)|reduc(?:e|es|ed|ing|tion)|lower(?:ed)?|loss(?:es)?|lost|losing|minus|negative|discount(?:ed)?|refund(?:ed)?|deficit|debit(?:ed)?|overdrawn|shrank|shrunk|slipped|withdr(?:ew|awn|awal)|debt|owes?|cut)\b/i;
const fallsBehind =
  /^[^.!?\n]{0,12}?\b(?:below zero|below freezing|less|lower|down|off|loss|discount|decrease|drop|decline|reduction)\b/i;

const CLAUSE_ENDS = ".!?;\n";
const LONGEST_CLAUSE = 48;

/** Whether the words around a number mean a loss or a decrease, so that it may be negative elsewhere. */
export function mayBeNegative(text: string, at: number, end: number): boolean {
  let from = at;
  while (from > 0 && at - from < LONGEST_CLAUSE && !CLAUSE_ENDS.includes(text.charAt(from - 1))) from--;
  const clause = text.slice(from, at);
  if (fallsBehind.test(text.slice(end, end + 40))) return true;
  // A value after "fell to" is not a decrease.
  return falls.test(clause) && !/\bto ?$/i.test(clause);
}
