import { RE2JS } from "re2js";
import { translatePattern, type PatternLanguage, type Unsupported } from "./pattern-syntax.ts";

/** A regular expression that answers in time linear to the text, whatever its author wrote. */
export interface Pattern {
  /** As written. */
  readonly source: string;
  /** Whether it occurs anywhere in the text. */
  test(text: string): boolean;
  /** The named groups of its first occurrence; undefined when it does not occur. Groups that took no part are left out. */
  groups(text: string): ReadonlyMap<string, string> | undefined;
  /** The text with every occurrence replaced by these very words. */
  replaceAll(text: string, words: string): string;
}

export interface PatternFlags {
  readonly ignoreCase?: boolean;
  readonly dotMatchesNewline?: boolean;
  /** Whose reading of `$` and `{,3}` holds; Python's when absent, as AgentCI's patterns are Python's. */
  readonly language?: PatternLanguage;
}

/** Why a pattern cannot be used. `offset` counts characters of the pattern; -1 when not known. */
export interface BadPattern {
  readonly message: string;
  readonly hint: string | null;
  readonly offset: number;
}

export type PatternResult =
  { readonly ok: true; readonly pattern: Pattern } | { readonly ok: false; readonly problem: BadPattern };

const longest = 10_000;

/**
 * Compiles a pattern of Python or JavaScript syntax for RE2. What RE2 only writes differently (`\u00e9`, `\Z`) is rewritten; what
 * it cannot run (look-around, back-references) is a problem that says so. Never throws.
 */
export function compilePattern(source: string, flags: PatternFlags = {}): PatternResult {
  if (source.length > longest)
    return bad({ message: `longer than ${longest} characters`, hint: null, offset: -1 });
  const translated = translatePattern(source, flags.language ?? "python");
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

function bad(problem: BadPattern): PatternResult {
  return { ok: false, problem };
}

function unsupported({ what, hint, offset }: Unsupported): BadPattern {
  return {
    message: `${what}; patterns run on RE2, which has none, so that no text can make them slow`,
    hint,
    offset,
  };
}

function syntaxMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^error parsing regexp: /, "");
}
