import { derivedOnce, remembered } from "../../support/structures/bounded-memo.ts";
import { compilePattern } from "../../model/patterns/pattern.ts";
import type { PlainMode, Preset } from "../metrics/match-mode.ts";
import { pairedWith } from "../metrics/tool-call-accuracy.ts";
import { isAmong, type WasCalled } from "../metrics/tool-sets.ts";
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

/** Returns the preset's function for "the tool is among the called tools". */
export function wasCalledBy(preset: Preset | undefined): WasCalled {
  return preset === "promptfoo" ? (wanted, used) => used.some(nameTest(wanted, preset)) : isAmong;
}

/** Returns the preset's function for "the called tool is among the tools of the spec". */
export function isExpectedBy(preset: Preset | undefined, expected: readonly string[]): NameTest {
  if (preset !== "promptfoo") return (name) => name !== null && expected.includes(name);
  const tests = testsOf(expected);
  return (name) => tests.some((test) => test(name));
}

/** Returns the entry for a tool in a map by names of the spec, as the preset compares names; undefined if there is none. */
export function entryFor<Value>(
  name: string,
  byName: ReadonlyMap<string, Value>,
  preset: Preset | undefined,
): Value | undefined {
  if (preset !== "promptfoo") return byName.get(name);
  return [...byName].find(([written]) => nameTest(written, preset)(name))?.[1];
}

/**
 * Returns the names of calls, with patterns of the spec in place of names that match them, because modes compare texts. If the mode
 * compares sets, a name becomes all patterns that it matches. If the mode counts calls, as many names and patterns as possible are paired.
 */
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
  if (mode === "contains-in-order") {
    let next = 0;
    return names.map((name) => (tests[next]?.(name) === true ? (expected[next++] ?? name) : name));
  }
  const matching = names.map((name) => tests.flatMap((test, at) => (test(name) ? [at] : [])));
  if (countsCalls.has(mode)) {
    const partners = pairedWith(matching);
    return names.map((name, item) => expected[partners.get(item) ?? -1] ?? name);
  }
  return names.flatMap((name, item) => {
    const patterns = (matching[item] ?? []).flatMap((at) => expected[at] ?? []);
    return patterns.length === 0 ? [name] : patterns;
  });
}

/** Returns the names of calls, each with the first pattern of the spec that it matches in its place. */
export function namesInPatterns(
  names: readonly string[],
  expected: readonly string[],
  preset: Preset | undefined,
): readonly string[] {
  if (preset !== "promptfoo") return names;
  const tests = testsOf(expected);
  return names.map((name) => expected[tests.findIndex((test) => test(name))] ?? name);
}

const countsCalls: ReadonlySet<PlainMode> = new Set(["same-calls", "contains-calls", "only-allowed-calls"]);

const testsOf = derivedOnce((expected: readonly string[]): readonly NameTest[] => expected.map(globTest));
