import { sequenceDiff } from "../../../src/report/render/diff/sequence-diff.ts";

export interface MarkedLine {
  readonly text: string;
  /** Whether the line occurs on this side only. */
  readonly isOwn: boolean;
}

/** Maximum number of lines that are compared. If a text has more, no line is marked. */
const MOST_LINES = 500;

/** Returns the lines of both texts. Lines without a counterpart in the other text are marked. */
export function lineDiff(
  a: string,
  b: string,
): { readonly a: readonly MarkedLine[]; readonly b: readonly MarkedLine[] } {
  const [linesA, linesB] = [a.split("\n"), b.split("\n")];
  if (linesA.length > MOST_LINES || linesB.length > MOST_LINES) {
    const unmarked = (lines: readonly string[]): MarkedLine[] =>
      lines.map((text) => ({ text, isOwn: false }));
    return { a: unmarked(linesA), b: unmarked(linesB) };
  }
  const lines = sequenceDiff(linesA, linesB);
  const side = (own: "missing" | "extra"): MarkedLine[] =>
    lines.flatMap(({ how, name }) =>
      how === "same" || how === own ? [{ text: name, isOwn: how === own }] : [],
    );
  return { a: side("missing"), b: side("extra") };
}
