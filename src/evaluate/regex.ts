import { RE2JS } from "re2js";

/** A pattern on the linear-time engine. */
export interface Pattern {
  /** As written. */
  readonly source: string;
  /** Whether it occurs anywhere in the text. */
  test(text: string): boolean;
  /** The named groups of the first occurrence; undefined when there is none. */
  groups(text: string): ReadonlyMap<string, string> | undefined;
}

export type CompiledPattern =
  { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly reason: string };

export interface PatternFlags {
  /** Case is ignored and `.` matches a newline: how EvalView runs its patterns. */
  readonly evalview?: boolean;
  /** JSON Schema's dialect (ECMAScript): `$` is the very end. */
  readonly ecma?: boolean;
}

const MOST_KNOWN = 1000;
const known = new Map<string, CompiledPattern>();

/**
 * Compiles a pattern written for Python or JavaScript to RE2, whose running time is linear in the text. Escapes that RE2 writes
 * otherwise are rewritten (`\u00e9`, `\Z`, `$` before a last newline as in Python, …); look-around, back-references, atomic
 * groups and possessive quantifiers have no equivalent and are refused with the reason. Results are kept.
 */
export function compilePattern(text: string, flags: PatternFlags = {}): CompiledPattern {
  const id = `${flags.evalview === true ? "i" : "-"}${flags.ecma === true ? "e" : "-"}${text}`;
  let compiled = known.get(id);
  if (compiled === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    compiled = compile(text, flags);
    known.set(id, compiled);
  }
  return compiled;
}

function compile(text: string, flags: PatternFlags): CompiledPattern {
  const refused = unsupported(text);
  if (refused !== undefined) return { ok: false, reason: refused };
  try {
    const options = flags.evalview === true ? RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL : 0;
    return { ok: true, pattern: wrap(text, RE2JS.compile(rewrite(text, flags.ecma !== true), options)) };
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: said.replace(/^error parsing regexp: /, "") };
  }
}

function wrap(source: string, regex: RE2JS): Pattern {
  return {
    source,
    test: (text) => regex.test(text),
    groups(text) {
      const matcher = regex.matcher(text);
      if (!matcher.find()) return undefined;
      const found = new Map<string, string>();
      for (const name of Object.keys(regex.namedGroups())) found.set(name, matcher.group(name) ?? "");
      return found;
    },
  };
}

/** Syntax that a linear-time engine cannot run; the reason names it and where it stands. */
const refusals: readonly (readonly [form: RegExp, what: string])[] = [
  [/^\(\?<?[=!]/, "look-around"],
  [/^\(\?>/, "an atomic group"],
  [/^\(\?\(/, "a conditional group"],
  [/^\(\?P=/, "a back-reference"],
  [/^\\(?:[1-9]|k[<{'])/, "a back-reference"],
  [/^[*+?}][+]/, "a possessive quantifier"],
];

function unsupported(text: string): string | undefined {
  for (const { at, size, inClass } of pieces(text)) {
    if (inClass) continue;
    const rest = text.slice(at, at + 4);
    for (const [form, what] of refusals) {
      if (!form.test(rest)) continue;
      const shown = text.slice(at, at + Math.max(size, 3));
      return `${what} (${shown} at character ${at + 1}) cannot run in linear time; write the pattern without it`;
    }
  }
  return undefined;
}

interface Piece {
  readonly at: number;
  /** Characters it takes; more than one for an escape. */
  readonly size: number;
  readonly inClass: boolean;
}

/** Escapes and single characters in order, told apart by whether they stand within `[…]`. */
function* pieces(text: string): Generator<Piece> {
  let inClass = false;
  let classStart = -1;
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    const size = character === "\\" ? Math.max(2, escapeLength(text.slice(at, at + 16))) : 1;
    if (character === "]" && inClass && at > classStart) inClass = false;
    yield { at, size, inClass };
    if (character === "[" && !inClass) {
      inClass = true;
      // A bracket right after the opening one stands for itself.
      classStart = at + (text.charAt(at + 1) === "^" ? 2 : 1);
    }
    at += size;
  }
}

/** Each escape that Python or JavaScript know and RE2 spells otherwise; anchored, tried at every backslash. */
const escapes: readonly (readonly [form: RegExp, to: (digits: string) => string])[] = [
  [/^\\u\{([0-9a-fA-F]{1,6})\}/, (digits) => `\\x{${digits}}`],
  [/^\\u([0-9a-fA-F]{4})/, (digits) => `\\x{${digits}}`],
  [/^\\U([0-9a-fA-F]{8})/, (digits) => `\\x{${digits.replace(/^0+(?=.)/, "")}}`],
  [/^\\c([A-Za-z])/, (letter) => `\\x{${(letter.charCodeAt(0) % 32).toString(16)}}`],
  [/^\\(Z)/, () => "\\z"],
  [/^\\([^\x00-\x7f])/u, (character) => character],
];

/** A surrogate pair written as two escapes, as JavaScript and JSON do for characters beyond the basic plane. */
const PAIR = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/;

function rewrite(text: string, python: boolean): string {
  const softEnd = python && !MULTILINE.test(text);
  let out = "";
  for (const { at, size, inClass } of pieces(text)) {
    const piece = text.slice(at, at + size);
    if (piece.startsWith("\\")) out += rewriteEscape(piece);
    else out += piece === "$" && softEnd && !inClass ? "(?:\\n?\\z)" : piece;
  }
  return out;
}

/** Under `(?m)` a dollar sign already matches before a newline. */
const MULTILINE = /\(\?[a-zA-Z]*m/;

function escapeLength(rest: string): number {
  const pair = PAIR.exec(rest);
  if (pair !== null) return pair[0].length;
  for (const [form] of escapes) {
    const found = form.exec(rest);
    if (found !== null) return found[0].length;
  }
  return 2;
}

function rewriteEscape(escape: string): string {
  const pair = PAIR.exec(escape);
  if (pair !== null) {
    const high = Number.parseInt(pair[1] ?? "", 16) - 0xd800;
    const low = Number.parseInt(pair[2] ?? "", 16) - 0xdc00;
    return `\\x{${(0x10000 + high * 0x400 + low).toString(16)}}`;
  }
  for (const [form, to] of escapes) {
    const found = form.exec(escape);
    if (found !== null) return to(found[1] ?? "");
  }
  return escape;
}
