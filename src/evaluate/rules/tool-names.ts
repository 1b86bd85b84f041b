import { derivedOnce, remembered } from "../../support/structures/bounded-memo.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";
import type { PlainMode, Preset } from "../metrics/match-mode.ts";
import { visibleName } from "./fold-name.ts";

/** Decides whether the name of a call matches the name in the spec. */
export type NameTest = (name: string | null) => boolean;

/**
 * Returns the preset's comparison of tool names. Names must be equal apart from invisible characters and surrounding blanks. With `preset:
 * promptfoo`, the spec's name is a pattern without case: `*` is any text, `?` any character.
 */
export function nameTest(written: string, preset: Preset | undefined): NameTest {
  const visible = visibleName(written);
  const test: NameTest = preset === "promptfoo" ? globTest(visible) : (name) => name === visible;
  return (name) => test(name === null ? null : visibleName(name));
}

const globTest = remembered((written: string): NameTest => {
  const compiled = compilePattern(`^${globSource(written)}$`, { ignoreCase: true, language: "javascript" });
  if (!compiled.ok) return (name) => name?.toLowerCase() === written.toLowerCase();
  return (name) => name !== null && compiled.pattern.test(name);
});

function globSource(glob: string): string {
  return glob
    .replace(/[\\^$.+()[\]{}|]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
}

/** Returns the names of calls, with the pattern of the spec in place of a name that matches the pattern, because modes compare texts. */
export function namesAsWritten(
  names: readonly string[],
  expected: readonly string[],
  mode: PlainMode,
  preset: Preset | undefined,
): readonly string[] {
  if (preset !== "promptfoo") return names;
  const tests = testsOf(expected);
  if (mode === "same-order")
    return names.map((name, at) => (tests[at]?.(name) === true ? expected[at] : name) ?? name);
  let next = 0;
  return names.map((name) => {
    const at = mode === "contains-in-order" ? next : tests.findIndex((test) => test(name));
    if (tests[at]?.(name) !== true) return name;
    next++;
    return expected[at] ?? name;
  });
}

const testsOf = derivedOnce((expected: readonly string[]): readonly NameTest[] => expected.map(globTest));
