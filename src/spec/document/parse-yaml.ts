import {
  isNode,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type Node,
  type YAMLError,
} from "yaml";
import type { Place } from "./node.ts";
import { encodingProblem } from "./problems/encoding.ts";
import { fileProblem, problemAt, type Problem } from "./problems/problem.ts";

/** A parsed YAML file. */
export interface YamlFile {
  readonly file: string;
  readonly document: Document.Parsed;
  /** Target of each alias. Aliases without an anchor are absent. */
  readonly aliases: ReadonlyMap<Alias, Node>;
  place(node: unknown): Place;
}

const longest = 8 * 1024 * 1024;
/** Maximum number of reported syntax errors, because a file that is not YAML can have very many. */
const mostSyntaxProblems = 50;

/** Parses YAML 1.2, which includes JSON. If the syntax is invalid, adds problems and returns undefined. */
export function parseYaml(file: string, text: string, problems: Problem[]): YamlFile | undefined {
  if (text.length > longest) {
    problems.push(
      fileProblem(
        file,
        "yaml/too-large",
        `the file is longer than ${longest.toLocaleString("en-US")} characters`,
        "split the document",
      ),
    );
    return undefined;
  }
  const foreign = encodingProblem(file, text, {
    code: "yaml/encoding",
    hint: 'save the file as UTF-8; write the character U+FFFD as "\\uFFFD"',
  });
  if (foreign !== undefined) {
    problems.push(foreign);
    return undefined;
  }
  const lines = new LineCounter();
  const document = parseSafely(text, lines);
  if (!document) {
    problems.push(fileProblem(file, "yaml/too-deep", "the file is nested too deeply to be read"));
    return undefined;
  }
  const place = (start: number, end: number): Place => {
    const { line, col } = lines.linePos(start);
    return { file, line, column: col, length: lengthOnLine(text, start, end) };
  };
  problems.push(...syntaxProblems(document.errors, text, place));
  if (document.errors.length > 0) return undefined;
  return {
    file,
    document,
    aliases: text.includes("*") ? aliasTargets(document) : new Map(),
    place: (node) => {
      const range = isNode(node) ? node.range : undefined;
      return range ? place(range[0], range[1]) : { file, line: 1, column: 1, length: 1 };
    },
  };
}

function parseSafely(text: string, lineCounter: LineCounter): Document.Parsed | undefined {
  try {
    // The parser's own detection of duplicate keys is disabled, because it takes quadratic time. Duplicate keys are found later.
    return parseDocument(text, { lineCounter, uniqueKeys: false, prettyErrors: false, logLevel: "error" });
  } catch (error) {
    // The parser is recursive: about ten thousand levels exhaust the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Returns the target of each alias: the last node before the alias that has the anchor of the alias. Takes one pass. */
function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias) => {
      const target = anchors.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** Returns the number of characters of a value on its first line, at least 1. */
function lengthOnLine(text: string, start: number, end: number): number {
  const newline = text.indexOf("\n", start);
  const stop = newline < 0 ? end : Math.min(end, newline);
  return Math.max(1, text.slice(start, stop).trimEnd().length);
}

const notAligned = ["these lines are not aligned", "begin all keys of a block in the same column"] as const;
/** Message and hint by the parser's error code. Null means the parser's message. */
const words: Readonly<Record<string, readonly [message: string | null, hint: string]>> = {
  TAB_AS_INDENT: ["a tab is used for indentation", "indent with spaces"],
  BAD_INDENT: [null, "align this line with the other keys or items of its block"],
  MULTILINE_IMPLICIT_KEY: notAligned,
  BLOCK_AS_IMPLICIT_KEY: ["a second `: ` follows on the same line", "quote text that contains `: `"],
  BAD_SCALAR_START: [null, "quote text that begins with `@`, `%` or a backtick"],
  BAD_DQ_ESCAPE: [
    "this escape does not exist in double quotes",
    "write the text in single quotes, or double the backslash",
  ],
  BLOCK_IN_FLOW: ["there is a key among the items of a list or map", "write a comma between the items"],
  BAD_ALIAS: [null, 'quote text that begins with `*`: "*"'],
  MISSING_CHAR: [null, "close every quote, bracket and brace that is opened"],
  MULTIPLE_DOCS: ["a second document begins here", "write one document per file, without `---` between"],
  UNEXPECTED_TOKEN: [null, "quote text that contains brackets, commas, `#` or `: `"],
};

/** Message and hint by the parser's message, for codes that cover different errors. */
const wordsByMessage: readonly (readonly [RegExp, readonly [message: string | null, hint: string]])[] = [
  [/call stack/, ["nested too deeply to be read", "nest fewer lists and maps"]],
  [/^Sequence item without/, notAligned],
  [/^Implicit map keys/, ["this key has no value", "write `: ` and a value after it, or align the line"]],
  [/^Missing , /, [null, "write a comma between the items"]],
  [/^Missing space after/, [null, "write a space after the colon"]],
  [/^(?:Comments|Tags)/, [null, "write a space at this position"]],
  [/sufficiently indented and end with a \]/, ["this list is not closed", "write `]` at its end"]],
  [/sufficiently indented and end with a \}/, ["this map is not closed", "write `}` at its end"]],
];

function wordsFor({ code, message }: YAMLError): readonly [message: string | null, hint: string | null] {
  return wordsByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? words[code] ?? [null, null];
}

/** A syntax error, and the number of later errors that are probably its consequences. */
interface RootError {
  readonly error: YAMLError;
  consequences: number;
}

/**
 * Returns one problem for each mistake, without the errors that the mistake causes: errors at the same position, further unaligned lines,
 * and outer brackets that are open only because an inner bracket is open.
 */
function syntaxProblems(
  errors: readonly YAMLError[],
  text: string,
  place: (start: number, end: number) => Place,
): Problem[] {
  const found = new Map<number, YAMLError>();
  const tabs = errors.filter(({ code }) => code === "TAB_AS_INDENT");
  // Lines after a tab are parsed with wrong indentation. If there are errors about tabs, only errors about tabs are reported.
  for (const error of tabs.length > 0 ? tabs : errors) {
    // Wrong indentation gives two errors at one position. `MULTILINE_IMPLICIT_KEY` has the better message.
    if (!found.has(error.pos[0]) || error.code === "MULTILINE_IMPLICIT_KEY") found.set(error.pos[0], error);
  }
  const roots: RootError[] = [];
  let last: YAMLError | undefined;
  for (const error of found.values()) {
    const root = isUnaligned(error) ? roots.find((one) => isUnaligned(one.error)) : undefined;
    if (root !== undefined) root.consequences++;
    else if (last === undefined || !leavesOpen(last, error, text)) roots.push({ error, consequences: 0 });
    last = error;
  }
  return roots.slice(0, mostSyntaxProblems).map(({ error, consequences }) => {
    const [message, hint] = wordsFor(error);
    const more = consequences === 0 ? "" : `; later errors (${consequences}) may be consequences`;
    return problemAt(
      place(...mistakeOf(error, text)),
      "yaml/syntax",
      `not valid YAML: ${message ?? error.message}${more}`,
      hint,
    );
  });
}

/**
 * Returns start and end of the text that is to be corrected. The parser reports a wrong indent at the start of the line, and a line that is
 * indented too far as the end of a text that begins in the line before. In both cases, the key of the line is returned.
 */
function mistakeOf({ code, pos: [start, end] }: YAMLError, text: string): readonly [number, number] {
  const lineOf = (at: number): number => text.lastIndexOf("\n", at - 1) + 1;
  const isIndent = (from: number, to: number): boolean => /^ *$/.test(text.slice(from, to));
  const last = lineOf(end - 1);
  if (code === "MULTILINE_IMPLICIT_KEY" && last > start && !isIndent(lineOf(start), start))
    return keyAt(last, text);
  return code !== "TAB_AS_INDENT" && text[start] === " " && isIndent(lineOf(start), start)
    ? keyAt(lineOf(start), text)
    : [start, end];
}

/** Returns start and end of the key, or of the text until the next blank, at the start of the line at `lineStart`. */
function keyAt(lineStart: number, text: string): readonly [number, number] {
  const [, indent = "", key = ""] =
    /^( *)(\S*?)(?=:?(?:\s|$))/.exec(text.slice(lineStart, lineStart + 1000)) ?? [];
  const start = lineStart + indent.length;
  return [start, start + Math.max(1, key.length)];
}

const UNCLOSED = /must be sufficiently indented and end with/;

function isUnaligned(error: YAMLError): boolean {
  if (UNCLOSED.test(error.message)) return false;
  return error.code === "BAD_INDENT" || wordsFor(error) === notAligned;
}

/** Whether the outer bracket is open because the inner bracket is open: only brackets and blanks are between the errors. */
function leavesOpen(inner: YAMLError, outer: YAMLError, text: string): boolean {
  if (!UNCLOSED.test(inner.message) || !UNCLOSED.test(outer.message)) return false;
  return /^[\s\]}]*$/.test(text.slice(inner.pos[0], outer.pos[0]));
}
