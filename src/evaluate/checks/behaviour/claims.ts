/** What a text plainly states of something, in lower case. */
export interface Claims {
  /** "door open" of "the door is open". */
  readonly is: ReadonlySet<string>;
  readonly isNot: ReadonlySet<string>;
  /** "price" → "$50" of "the price is $50". */
  readonly values: ReadonlyMap<string, string>;
  readonly has: ReadonlySet<string>;
  readonly hasNot: ReadonlySet<string>;
}

const MOST_TEXT = 20_000;

/** Sentences of the kinds "x is (not) y", "the x is 50", "x has y" and "x does not have y". */
export function claimsIn(text: string): Claims {
  const folded = text.slice(0, MOST_TEXT).toLowerCase().replaceAll(/\s+/g, " ");
  return {
    is: pairs(folded, /\b(\w+) is (?!not\b)(\w+)/g),
    isNot: pairs(folded, /\b(\w+) is not (\w+)/g),
    values: new Map(
      [...folded.matchAll(/\bthe (\w+) is (\$?\d+(?:,\d{3})*(?:\.\d+)?)/g)].map(
        ([, name = "", value = ""]) => [name, value],
      ),
    ),
    has: pairs(folded, /\b(\w+) (?:has|have) (\w+)/g),
    hasNot: pairs(folded, /\b(\w+) (?:doesn't|does not|don't|do not) have (\w+)/g),
  };
}

function pairs(text: string, form: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(form)].map(([, subject = "", object = ""]) => `${subject} ${object}`));
}

/** What the later text says otherwise than the earlier one; undefined when nothing is. */
export function contradiction(earlier: Claims, later: Claims): string | undefined {
  for (const [name, value] of later.values) {
    const before = earlier.values.get(name);
    if (before !== undefined && before !== value) return `the ${name}`;
  }
  return (
    common(earlier.is, later.isNot) ?? common(later.is, earlier.isNot) ?? common(earlier.has, later.hasNot)
  );
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): string | undefined {
  for (const claim of other) if (one.has(claim)) return claim;
  return undefined;
}
