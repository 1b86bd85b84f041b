import { largest } from "../../../support/structures/long-lists.ts";

export type Alignment = "left" | "right";

/** Returns the rows of a table as lines with aligned columns. Two spaces separate the columns. */
export function textTable(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
): readonly string[] {
  const widths = alignments.map((_, at) => largest(rows.map((cells) => widthOf(cells[at] ?? ""))));
  return rows.map((cells) =>
    alignments
      .map((alignment, at) => {
        const cell = cells[at] ?? "";
        const gap = " ".repeat((widths[at] ?? 0) - widthOf(cell));
        return alignment === "left" ? cell + gap : gap + cell;
      })
      .join("  ")
      .trimEnd(),
  );
}

/**
 * Splits a table that is wider than `width` into tables that fit, each with the first column and some of the others. Without a `width`,
 * or if the table fits, returns one table.
 */
export function fittingTables(
  rows: readonly (readonly string[])[],
  alignments: readonly Alignment[],
  width: number | undefined,
): readonly (readonly string[])[] {
  const widths = alignments.map((_, at) => largest(rows.map((cells) => widthOf(cells[at] ?? ""))));
  const blocks: number[][] = [];
  let used = Infinity;
  for (const at of widths.keys()) {
    if (at === 0) continue;
    const needed = 2 + (widths[at] ?? 0);
    if (used + needed > (width ?? Infinity) || blocks.length === 0) {
      blocks.push([0]);
      used = widths[0] ?? 0;
    }
    blocks.at(-1)?.push(at);
    used += needed;
  }
  return blocks.map((columns) =>
    textTable(
      rows.map((cells) => columns.map((at) => cells[at] ?? "")),
      columns.map((at) => alignments[at] ?? "left"),
    ),
  );
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
