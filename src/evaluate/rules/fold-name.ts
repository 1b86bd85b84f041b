import { remembered } from "../../support/structures/bounded-memo.ts";

/**
 * Names as far as spelling habits go: lower case, without `-`, `_`, dots and white space, letters in one Unicode form (NFKC).
 * `EditFile` = `edit-file` = `edit_file`.
 */
export const foldName = remembered((name) =>
  name
    .normalize("NFKC")
    .replace(/[-_.\s]+/gu, "")
    .toLowerCase()
    .normalize("NFC"),
);

/** Of the names that occurred, the one that differs from `wanted` only in case and separators. */
export function nearMiss(wanted: string, occurred: readonly (string | null)[]): string | undefined {
  const folded = foldName(wanted);
  for (const name of occurred) {
    if (name !== null && name !== wanted && foldName(name) === folded) return name;
  }
  return undefined;
}

/** `; Retriever_Tool was called: names compare exactly` for each wanted name that was nearly met; else empty. */
export function nearMissHint(wanted: readonly string[], occurred: readonly (string | null)[]): string {
  for (const name of wanted) {
    const near = nearMiss(name, occurred);
    if (near !== undefined) return `; ${near} was called, and names compare exactly: did the spec mean that?`;
  }
  return "";
}
