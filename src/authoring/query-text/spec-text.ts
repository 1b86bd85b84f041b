import { Document, visit } from "yaml";
import { CONTROLS, escapeControls, HIDDEN } from "../../support/structures/control-characters.ts";
import { withLiteralBraces } from "./literal-query.ts";
import type { JsonObject, JsonValue } from "../../model/json.ts";

interface YamlOptions {
  /** Comment at the beginning of the document. */
  readonly comment?: string;
  /** Length from which lines are folded. 0 means that lines are not folded. */
  readonly lineWidth: number;
}

/** Keys of a proposed query, and the comments to write above the query. */
export interface ProposedQuery {
  readonly query: JsonObject;
  readonly remarks: readonly string[];
}

export function specText(
  agent: string,
  queries: readonly ProposedQuery[],
  remarks: readonly string[],
  severity?: JsonObject,
): string {
  const head = remarks.flatMap((remark) => wrapped(remark)).map((line) => `# ${line}`);
  const keys = yamlText({ agent, ...(severity === undefined ? {} : { severity }) }, { lineWidth: 80 });
  const root = `${head.join("\n")}\nversion: 1\n${keys}queries:\n`;
  return root + queries.map((query) => queryText(query, 2)).join("\n");
}

/** Returns one query as an item of `queries`, indented by `indent` spaces. */
export function queryText({ query, remarks }: ProposedQuery, indent: number): string {
  const lines = [
    ...remarks.map((remark) => `# ${oneLine(remark)}`),
    ...yamlText([withLiteralBraces(query)], { lineWidth: 0 })
      .trimEnd()
      .split("\n"),
  ];
  return `${lines.map((line) => (line === "" ? "" : " ".repeat(indent) + line)).join("\n")}\n`;
}

const UNSEEN = new RegExp(`(?:[${CONTROLS}]|${HIDDEN})+`, "g");

function oneLine(text: string, longest = 400): string {
  const line = text.replace(UNSEEN, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

const WIDTH = 100;

function wrapped(text: string): readonly string[] {
  const lines = [""];
  for (const word of oneLine(text, 2000).split(" ")) {
    const last = lines.length - 1;
    const longer = `${lines[last] ?? ""} ${word}`.trim();
    if (longer.length > WIDTH) lines.push(word);
    else lines[last] = longer;
  }
  return lines;
}

/**
 * Returns the value as YAML. A text with control characters, or with characters that reorder text, is
 * double-quoted and escaped, so that a reviewer sees the text that is evaluated.
 */
export function yamlText(value: JsonValue, { comment, lineWidth }: YamlOptions): string {
  const document = new Document(value);
  if (comment !== undefined) document.commentBefore = comment;
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value !== "string") return;
      // In a block scalar, white space at the end of the text would be lost, and the blank line between two queries would become a part of
      // the text.
      if (escapeControls(node.value) !== node.value || /\s$/.test(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return escapeControls(document.toString({ lineWidth }));
}
