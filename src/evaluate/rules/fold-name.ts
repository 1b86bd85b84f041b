import { foldCase } from "./fold-case.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";

/** Returns a name without invisible characters and surrounding blanks, which users cannot see in a spec or report. */
export function visibleName(name: string): string {
  return (
    /^[\x20-\x7e]*$/.test(name) ? name : name.replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]+/gu, "")
  ).trim();
}

/**
 * Content of a character class for a regular expression with the flag `u`. The class has the characters that separate the words of a name:
 * dashes (also `–` and the minus sign), `_`, `.`, `:`, `/` and white space. It also has invisible characters.
 */
export const SEPARATORS = String.raw`\p{Pd}\u2212\p{Pc}.:/\s\p{Default_Ignorable_Code_Point}\p{Cc}`;
const separators = new RegExp(`[${SEPARATORS}]+`, "gu");

/**
 * Returns a name in a form for comparison: NFKC, lower case, without separators and invisible characters. `EditFile`, `edit-file`,
 * `edit_file` and `edit/file` become equal.
 */
export const foldName = remembered((name) =>
  foldCase(name.normalize("NFKC").replace(separators, "")).normalize("NFC"),
);

/** Returns the first name that differs from `wanted` only in case and separators; undefined if there is none. */
export function nearMiss(wanted: string, occurred: readonly (string | null)[]): string | undefined {
  const folded = foldName(wanted);
  for (const name of occurred) {
    if (name !== null && name !== wanted && foldName(name) === folded) return name;
  }
  return undefined;
}

/** Returns a hint if a called tool's name is similar to a wanted name; otherwise an empty text. */
export function nearMissHint(wanted: readonly string[], occurred: readonly (string | null)[]): string {
  for (const name of wanted) {
    const near = nearMiss(name, occurred);
    if (near !== undefined) return `; did the spec mean ${near}? It was called, and names must match exactly`;
  }
  return "";
}
