import { printable } from "./printable.ts";

/** A file's name as it is typed in a shell, in quotes where it needs them. */
export function shellWord(name: string): string {
  return /^[\w./:@%+,=-]+$/.test(name) ? name : `'${printable(name, 300).replaceAll("'", "'\\''")}'`;
}
