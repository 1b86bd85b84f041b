import { RE2JS } from "re2js";
import { translatePattern, type PatternLanguage, type Unsupported } from "./pattern-syntax.ts";

/** A regular expression that runs in linear time. Patterns from untrusted sources are therefore safe. */
export interface Pattern {
  /** The pattern as its author wrote it. */
  readonly source: string;
  test(text: string): boolean;
  /**
   * Returns the named groups of the first match, without groups that did not take part in the match; undefined if the text does not match.
   */
  groups(text: string): ReadonlyMap<string, string> | undefined;
  /** Replaces every match by `words`. In `words`, `$1` has no special meaning. */
  replaceAll(text: string, words: string): string;
}

export interface PatternFlags {
  readonly ignoreCase?: boolean;
  readonly dotMatchesNewline?: boolean;
  /** Syntax of the pattern. The default is Python, because AgentCI's patterns use it. */
  readonly language?: PatternLanguage;
}

/** The reason why a pattern cannot be used. `offset`: index of the problem in the pattern; -1 if unknown. */
export interface BadPattern {
  readonly message: string;
  readonly hint: string | null;
  readonly offset: number;
}

export type PatternResult =
  { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly problem: BadPattern };

const longest = 10_000;

/**
 * Compiles a pattern in Python or JavaScript syntax for RE2. Never throws. Constructs that RE2 writes differently (`\u00e9`, `\Z`) are
 * translated. For constructs that RE2 lacks (look-around, back-references), returns the problem.
 */
export function compilePattern(source: string, flags: PatternFlags = {}): PatternResult {
  if (source.length > longest)
    return bad({ message: `longer than ${longest} characters`, hint: null, offset: -1 });
  const language = flags.language ?? "python";
  const invalid = language === "plain-javascript" ? javascriptProblem(source) : undefined;
  if (invalid !== undefined) return bad({ message: invalid, hint: null, offset: -1 });
  const translated = translatePattern(source, language);
  if (!translated.ok) return bad(unsupported(translated.unsupported));
  try {
    const bits =
      (flags.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (flags.dotMatchesNewline ? RE2JS.DOTALL : 0);
    return { ok: true, pattern: new Re2Pattern(source, RE2JS.compile(translated.text, bits)) };
  } catch (error) {
    return bad({ message: syntaxMessage(error), hint: null, offset: -1 });
  }
}

class Re2Pattern implements Pattern {
  readonly source: string;
  private readonly regex: RE2JS;
  private readonly names: readonly string[];

  constructor(source: string, regex: RE2JS) {
    this.source = source;
    this.regex = regex;
    this.names = Object.keys(regex.namedGroups());
  }

  test(text: string): boolean {
    return this.regex.test(text);
  }

  replaceAll(text: string, words: string): string {
    return this.regex.matcher(text).replaceAll(() => words);
  }

  groups(text: string): ReadonlyMap<string, string> | undefined {
    if (this.names.length === 0) return this.regex.test(text) ? new Map() : undefined;
    const matcher = this.regex.matcher(text);
    if (!matcher.find()) return undefined;
    const found = new Map<string, string>();
    for (const name of this.names) {
      const value = matcher.group(name);
      if (value !== null) found.set(name, value);
    }
    return found;
  }
}

/**
 * Returns the reason why JavaScript rejects a pattern; undefined if JavaScript accepts it. Without this check, RE2 might accept an invalid
 * JavaScript pattern and give it another meaning.
 */
function javascriptProblem(source: string): string | undefined {
  try {
    RegExp(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function bad(problem: BadPattern): PatternResult {
  return { ok: false, problem };
}

function unsupported({ what, hint, offset }: Unsupported): BadPattern {
  return {
    message: `${what}: RE2, which runs all patterns in linear time, does not support this construct`,
    hint,
    offset,
  };
}

function syntaxMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^error parsing regexp: /, "");
}
