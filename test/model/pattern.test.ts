import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, type Pattern, type PatternFlags } from "../../src/model/patterns/pattern.ts";

function compiled(source: string, flags?: PatternFlags): Pattern {
  const result = compilePattern(source, flags);
  if (!result.ok) throw new Error(result.problem.message);
  return result.pattern;
}

describe("patterns that other engines write differently", () => {
  test.each([
    [String.raw`caf\u00e9`, "un café"],
    [String.raw`[\u00e0-\u00ff]$`, "café"],
    [String.raw`\ud83d\ude00`, "well 😀"],
    [String.raw`\u{1F600}`, "well 😀"],
    [String.raw`\U0001F600`, "well 😀"],
    [String.raw`done\Z`, "all done"],
    [String.raw`^a{,3}b`, "aab"],
    [String.raw`(?P<order>\d+)`, "order 12"],
    [String.raw`(?<order>\d+)`, "order 12"],
    [String.raw`ab(?#a comment)c`, "abc"],
    [String.raw`\p{Script=Greek}`, "λ"],
    [String.raw`[]x]+y`, "]xy"],
    [String.raw`[^]x]y`, "ay"],
    [String.raw`\\u00e9`, String.raw`\u00e9`],
    [String.raw`[(?=]`, "="],
    [String.raw`[a[](?:b)`, "[b"],
  ])("%s finds %s", (source, text) => {
    expect(compiled(source).test(text)).toBe(true);
  });

  test.each([
    ["a(?=b)", 1, "look-ahead"],
    ["a(?!b)", 1, "negative look-ahead"],
    ["(?<=a)b", 0, "look-behind"],
    ["(?<!a)b", 0, "negative look-behind"],
    [String.raw`(a)\1`, 3, "back-reference"],
    [String.raw`(?P<n>a)(?P=n)`, 8, "back-reference"],
    [String.raw`(?<n>a)\k<n>`, 7, "back-reference"],
    ["(?>a)", 0, "atomic"],
    ["a++", 1, "possessive"],
    ["(?x) a", 0, "verbose"],
  ])("%s is refused, and says what and where", (source, offset, words) => {
    const result = compilePattern(source);
    expect(result).toMatchObject({ ok: false, problem: { offset } });
    expect(!result.ok && result.problem.message).toContain(words);
  });

  test.each(["(a", "*a", "[b-a]", "a{1001}", "((a{100}){100}){100}", "x".repeat(10_001)])(
    "%.20s is refused",
    (source) => {
      expect(compilePattern(source).ok).toBe(false);
    },
  );
});

describe("plain JavaScript, without flags", () => {
  const pieces = String.raw`a p L u x 4 1 . ^ $ | { } [ ] ( ) (?: - , * + ? {2} {,2} {2,1} (?i)
(?i: (?P<n> (?<n> (?# [[:alpha:]] [^] [] \p{L} \pL \P{Nd} \u{41}
\u0041 \x41 \x{41} \x4 \U00000041 \A \z \Q \b \d \w \s \S \0 \cA`.split(/\s/);
  const words = "a A p pL p{L} P{Nd} u uuuu A1 x x{41} x4 xx {,2} [:alpha:] alpha] l] U00000041 Az Q é ß";
  const texts = [...words.split(" "), "", "a\n", "\n", "\u00a0", "\u2028", "\0", "\u0001"];

  /** Whether a pattern is refused where RegExp refuses it, and finds the same where both accept it. */
  function isAlike(source: string): boolean {
    const ours = compilePattern(source, { language: "plain-javascript" });
    const theirs = regExpOf(source);
    if (theirs === undefined) return !ours.ok;
    return !ours.ok || texts.every((text) => ours.pattern.test(text) === theirs.test(text));
  }

  test("decides as RegExp does, or is refused", () => {
    const sources = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(sources, (parts) => {
        expect(isAlike(parts.join(""))).toBe(true);
      }),
      { numRuns: 1000, seed: 38 },
    );
  });

  function regExpOf(source: string): RegExp | undefined {
    try {
      return new RegExp(source);
    } catch {
      return undefined;
    }
  }
});

describe("character classes know all scripts, as in Python", () => {
  test.each([
    [String.raw`^\w+$`, "naïveté", true],
    [String.raw`^[\w-]+$`, "é-検索_9", true],
    [String.raw`^\W+$`, "… —", true],
    [String.raw`\W`, "é", false],
    [String.raw`^\d{2}$`, "٣٤", true],
    [String.raw`^[^\d]$`, "٣", false],
    [String.raw`\D`, "٣", false],
    [String.raw`a\sb`, "a\u00a0b", true],
    [String.raw`a\Sb`, "a\u2003b", false],
    [String.raw`^[\s]+$`, "\v\u3000", true],
    [String.raw`\\w`, String.raw`\w`, true],
  ])("%s on %s: %s", (source, text, found) => {
    expect(compiled(source).test(text)).toBe(found);
  });

  test("but not in JavaScript", () => {
    expect(compiled(String.raw`^\w$`, { language: "javascript" }).test("é")).toBe(false);
  });
});

test("occurs anywhere, case counts, and a dot stops at a line's end, unless flags say otherwise", () => {
  expect(compiled("a.c").test("xxabcxx")).toBe(true);
  expect(compiled("A.C").test("abc")).toBe(false);
  expect(compiled("a.c").test("a\nc")).toBe(false);
  expect(compiled("A.C", { ignoreCase: true, dotMatchesNewline: true }).test("a\nc")).toBe(true);
});

test("named groups are what the first occurrence captured", () => {
  const pattern = compiled(String.raw`order (?P<id>\d+)(?: for (?P<who>\w+))?`);
  expect(pattern.groups("order 12 for Ann, order 13")).toEqual(
    new Map([
      ["id", "12"],
      ["who", "Ann"],
    ]),
  );
  expect(pattern.groups("order 12")).toEqual(new Map([["id", "12"]]));
  expect(pattern.groups("none")).toBeUndefined();
  expect(compiled("a").groups("a")).toEqual(new Map());
});

test("a pattern that makes backtracking engines hang returns at once", () => {
  expect(compiled("^(a+)+$").test(`${"a".repeat(20_000)}!`)).toBe(false);
});

test("a dollar sign also stands before a line break at the very end, as in Python, but not as in JavaScript", () => {
  expect(compiled("done$").test("all done\n")).toBe(true);
  expect(compiled("done$").test("all done\n\n")).toBe(false);
  expect(compiled("done$").test("done it")).toBe(false);
  expect(compiled("done$", { language: "javascript" }).test("all done\n")).toBe(false);
  expect(compiled("(?m)^a$").test("b\na\nc")).toBe(true);
  expect(compiled("[$]").test("5 $")).toBe(true);
  expect(compiled(String.raw`5\$`).test("5$")).toBe(true);
});

test("JavaScript's patterns find what JavaScript finds", () => {
  const sources =
    String.raw`^a.c$ a\sb [\s]x [^\S]x [] [^]x [a\]b] [[]a \w+ [\W] \D [\b] \cA \0 a{,3} \e\z ^\s*$ [.] a$b [\s\S]x \$5\.00`.split(
      " ",
    );
  const spaced = [
    "",
    "a c",
    "a\nc",
    "a\rc",
    "a\u2028c",
    "a\u00a0b",
    "\ufeffx",
    " x",
    "\b",
    "\u0001",
    "\0",
    "  \n",
    "\v",
  ];
  const texts = [...spaced, ..."abc ] [a aaa a{,3} é ez . $5.00 ٣".split(" ")];
  for (const source of sources) {
    const ours = compiled(source, { language: "javascript" });
    const theirs = new RegExp(source);
    expect(texts.filter((text) => ours.test(text))).toEqual(texts.filter((text) => theirs.test(text)));
  }
});
