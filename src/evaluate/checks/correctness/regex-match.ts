import { z } from "zod";
import type { BadPattern, Pattern } from "../../../model/patterns/pattern.ts";
import { patternText } from "../../../model/patterns/pattern-text.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Preset } from "../../metrics/match-mode.ts";
import { type CompiledCheck, defineCheck } from "../check.ts";
import { known, pass, violated } from "../../result/finding.ts";
import { specPattern } from "../../rules/spec-pattern.ts";
import { rootSpan, withoutAnswer } from "./answer.ts";
import { withoutDisguise } from "./compared-text.ts";

const patterns = z.union([patternText, z.array(patternText).min(1)]);

/**
 * Check for AgentCI's `regex_match`. With `preset: evalview`, case is ignored and `.` matches a newline. With `preset: promptfoo`, patterns
 * have JavaScript's syntax.
 */
export const regexMatch = defineCheck({
  key: "regex_match",
  layer: "correctness",
  summary:
    "The regular expression matches somewhere in the answer; of a list, every regular expression does.",
  details:
    "RE2, without look-around and back-references. Case counts, and `.` does not match a line break, unless the pattern sets `(?i)` or `(?s)`, or `preset` changes this. `\\w`, `\\d` and `\\s` cover all scripts, `\\b` only ASCII.",
  limit: patterns,
  prepare(limit, { preset }) {
    const all = listOf(limit);
    const matches = known(
      pass(true, `the answer matches ${all.length === 1 ? "the pattern" : "every pattern"}`),
    );
    return searched(all, preset, wholeAnswer, asWritten, (found, context) => {
      const absent = all.filter((_, at) => found[at] === false);
      if (absent.length === 0) return matches;
      const message = `the answer does not match ${absent.join("; ")}`;
      return violated(false, message, { ...rootSpan(context), faults: absent });
    });
  },
});

export const notRegexMatch = defineCheck({
  key: "not_regex_match",
  layer: "correctness",
  summary: "The regular expression matches nowhere in the answer; of a list, none does.",
  details:
    "Syntax as in `regex_match`. Searches the answer as written, and in the Unicode form NFKC without invisible characters, as `not_in_answer` does; with `preset: evalview` or `promptfoo`, only as written. A match fails an incomplete run, too.",
  limit: patterns,
  undoable: false,
  prepare(limit, { preset }) {
    const all = listOf(limit);
    const clean = known(pass(true, "no forbidden pattern occurs in the answer"));
    return searched(all, preset, answerOrBegin, formsUnder(preset), (found, context) => {
      const present = all.filter((_, at) => found[at] === true);
      if (present.length === 0) return context.run.answer === null ? withoutAnswer(context) : clean;
      const message = `the answer matches ${present.join("; ")}, which must not occur`;
      return violated(false, message, { ...rootSpan(context), faults: present });
    });
  },
});

function listOf(limit: z.infer<typeof patterns>): readonly string[] {
  return typeof limit === "string" ? [limit] : limit;
}

type ToFinding = (
  found: readonly boolean[],
  context: Parameters<CompiledCheck>[0],
) => ReturnType<CompiledCheck>;

const wholeAnswer = ({ answer }: AgentRun): string | null => answer;
const answerOrBegin = ({ answer, answerBegin }: AgentRun): string | null => answer ?? answerBegin ?? null;

/** Matches patterns that can test the end of a text. A pattern for the end of a text decides nothing about a truncated answer. */
const looksAtEnd = /\$|\\[zZbB]/;

const asWritten = (text: string): readonly string[] => [text];

/**
 * Returns the forms of an answer in which forbidden patterns are searched: as written, and without disguise. With `preset: promptfoo` or
 * `evalview`, only as written.
 */
function formsUnder(preset: Preset | undefined): (text: string) => readonly string[] {
  if (preset === "promptfoo" || preset === "evalview") return asWritten;
  return (text) => {
    const plain = withoutDisguise(text);
    return plain === text ? [text] : [text, plain];
  };
}

/** Returns a compiled check that tests each pattern on a text of the run, in all its forms. `toFinding` turns the matches into a finding. */
function searched(
  sources: readonly string[],
  preset: Preset | undefined,
  textOf: (run: AgentRun) => string | null,
  formsOf: (text: string) => readonly string[],
  toFinding: ToFinding,
): CompiledCheck {
  const compiled = compiledAll(sources, preset);
  return (context) => {
    const { run } = context;
    const text = textOf(run);
    if (text === null) return withoutAnswer(context);
    if ("message" in compiled) {
      return { outcome: "error", value: null, message: `the pattern cannot be run: ${compiled.message}` };
    }
    const forms = formsOf(text);
    return toFinding(
      compiled.map((pattern) => {
        const isOpen = run.answer === null && looksAtEnd.test(pattern.source);
        return !isOpen && forms.some((form) => occurs(pattern, form, preset));
      }),
      context,
    );
  };
}

function compiledAll(
  sources: readonly string[],
  preset: Preset | undefined,
): readonly Pattern[] | BadPattern {
  const found: Pattern[] = [];
  for (const source of sources) {
    const result = specPattern(source, preset);
    if (!result.ok) return result.problem;
    found.push(result.pattern);
  }
  return found;
}

/**
 * Whether a pattern matches somewhere. As in Python's `re.search`, `$` also matches before a newline at the end of the text. With `preset:
 * promptfoo`, `$` has JavaScript's meaning.
 */
function occurs(pattern: Pattern, answer: string, preset: Preset | undefined): boolean {
  if (pattern.test(answer)) return true;
  if (preset === "promptfoo" || !pattern.source.includes("$")) return false;
  return answer.endsWith("\n") && pattern.test(answer.slice(0, -1));
}
