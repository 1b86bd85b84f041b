/** Part of a text in which a value has lost characters, such as `12█4`. */
export interface DamagedPart {
  readonly start: number;
  readonly end: number;
}

/** Matches characters in place of lost ones: U+FFFD, blocks such as `█`, and squares such as `■` after a letter or digit. */
const lost = /[\ufffd\u2588\u2591-\u2593]+|(?<=[\p{L}\p{N}][.,:/-]?)[\u25a0\u25a1\u25a2\u25ae\u25af]+/gu;
const outside = /[\s|"<>{}[\]]/;
const sentenceStart = /^["'([]+/;
const sentenceEnd = /[.,;:!?)'\]]+$/;
/** Matches a digit, currency symbol or percent sign, at least one of which every value contains. */
const valued = /[\p{N}\p{Sc}%]/u;
const groupBehind = /^ [+(]?(?=[A-Z]*\d)[A-Z\d]{1,6}\)?(?![\p{L}\p{N}/%-]|[.,:]\p{N})/u;
const groupBefore = /(?<![\p{L}\p{N}.,:/%+(-])[+(]?(?=[A-Z]*\d)[A-Z\d]{1,6}\)? $/u;
const LEAST_OF_GROUPS = 7;
const LONGEST_GROUP = 12;

/** Returns the parts of a plain text in which values have lost characters, in order. */
export function damagedParts(text: string): readonly DamagedPart[] {
  const parts: DamagedPart[] = [];
  let free = 0;
  for (const { index, 0: signs } of text.matchAll(lost)) {
    if (index < free) continue;
    let start = index;
    while (start > free && !outside.test(text.charAt(start - 1))) start--;
    let end = index + signs.length;
    while (end < text.length && !outside.test(text.charAt(end))) end++;
    free = end;
    const token = text.slice(start, end);
    if (!valued.test(token)) continue;
    start += Math.min(sentenceStart.exec(token)?.[0].length ?? 0, index - start);
    end -= sentenceEnd.exec(text.slice(Math.max(start, index + signs.length), end))?.[0].length ?? 0;
    parts.push(withGroups(text, { start, end }, parts.at(-1)?.end ?? 0));
  }
  return parts;
}

/** Extends a part by adjacent groups of digits that belong to the same long number or code: `+39 06 69██ 0012`. */
function withGroups(text: string, part: DamagedPart, free: number): DamagedPart {
  if (/[\p{Ll}\p{Sc}%]/u.test(text.slice(part.start, part.end))) return part;
  let { start, end } = part;
  for (;;) {
    const before = groupBefore.exec(text.slice(Math.max(free, start - LONGEST_GROUP), start))?.[0];
    if (before === undefined) break;
    start -= before.length;
  }
  for (;;) {
    const behind = groupBehind.exec(text.slice(end, end + LONGEST_GROUP))?.[0];
    if (behind === undefined) break;
    end += behind.length;
  }
  const whole = text.slice(start, end).replace(/[^\p{N}\ufffd\u2588\u2591-\u2593]/gu, "");
  return whole.length >= LEAST_OF_GROUPS ? { start, end } : part;
}

/** Replaces every character of the parts by U+FFFD, so that no value extends into a part. */
export function withoutParts(text: string, parts: readonly DamagedPart[]): string {
  let from = 0;
  const kept = parts.map(({ start, end }) => {
    const before = text.slice(from, start) + "\ufffd".repeat(end - start);
    from = end;
    return before;
  });
  return kept.join("") + text.slice(from);
}
