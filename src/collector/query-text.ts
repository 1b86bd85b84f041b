import { readFileSync } from "node:fs";
import type { CompiledQuery } from "../evaluate/query/compiled.ts";

/**
 * The YAML block of each query as its file holds it now, without indentation; null where the file cannot be read, or is a table, in which a
 * query is a row.
 */
export function queryTexts(queries: readonly CompiledQuery[]): readonly (string | null)[] {
  const files = new Map<string, readonly string[] | null>();
  return queries.map(({ source: { file, line, column } }) => {
    if (!files.has(file)) files.set(file, /\.ya?ml$/.test(file) ? linesOf(file) : null);
    const lines = files.get(file) ?? null;
    return lines === null ? null : blockAt(lines, line, column);
  });
}

function linesOf(file: string): readonly string[] | null {
  try {
    return readFileSync(file, "utf8").split(/\r?\n/);
  } catch {
    return null;
  }
}

/** @param line of the block's first character, from 1; @param column of it, from 1 */
function blockAt(lines: readonly string[], line: number, column: number): string {
  const indent = column - 1;
  const first = lines[line - 1]?.slice(indent) ?? "";
  const rest = lines.slice(line);
  const end = rest.findIndex((text) => text.trim() !== "" && text.search(/\S/) < indent);
  const block = [first, ...rest.slice(0, end === -1 ? rest.length : end).map((text) => text.slice(indent))];
  return block.join("\n").trimEnd();
}
