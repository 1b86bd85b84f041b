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

function widthOf(text: string): number {
  return Array.from(text).length;
}
