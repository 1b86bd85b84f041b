import { remembered } from "../../support/structures/bounded-memo.ts";

/**
 * Returns a name without invisible characters and blanks around it, which a reader of a spec or report cannot
 * see.
 */
export function visibleName(name: string): string {
  return (
    /^[\x20-\x7e]*$/.test(name) ? name : name.replace(/\p{Default_Ignorable_Code_Point}+/gu, "")
  ).trim();
}

/**
 * Returns a name in a form for comparison: NFKC, lower case, without `-`, `_`, dots, white space and
 * invisible characters. `EditFile` = `edit-file` = `edit_file`.
 */
export const foldName = remembered((name) =>
  name
    .normalize("NFKC")
    .replace(/[-_.\s\p{Default_Ignorable_Code_Point}]+/gu, "")
    .toLowerCase()
    .normalize("NFC"),
);

/** Returns an actual name that differs from `wanted` only in case and separators. */
export function nearMiss(wanted: string, occurred: readonly (string | null)[]): string | undefined {
  const folded = foldName(wanted);
  for (const name of occurred) {
    if (name !== null && name !== wanted && foldName(name) === folded) return name;
  }
  return undefined;
}

/**
 * Returns a hint such as `; Retriever_Tool was called: names compare exactly` for each wanted name with a
 * similar actual name; otherwise empty.
 */
export function nearMissHint(wanted: readonly string[], occurred: readonly (string | null)[]): string {
  for (const name of wanted) {
    const near = nearMiss(name, occurred);
    if (near !== undefined) return `; ${near} was called, and names compare exactly: did the spec mean that?`;
  }
  return "";
}
