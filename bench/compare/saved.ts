import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Result } from "../harness/result.ts";

/** The fields of a result that a comparison needs; `rounds` is empty if the figure could not be measured. */
export type Figure = Pick<Result, "name" | "row" | "better" | "rounds"> & { readonly unit: string };

/** The file does not contain a saved run. The message names the place, and the command that writes such a file. */
export class BadFile extends Error {
  override readonly name = "BadFile";
}

const figures = z
  .array(
    z.object({
      name: z.string().min(1),
      row: z.string().nullable(),
      unit: z.string(),
      better: z.enum(["less", "more"]),
      rounds: z.array(z.number().nullable()),
    }),
  )
  .min(1);

/** Reads the figures from a file that `--json` wrote. @throws BadFile */
export function readSaved(path: string): Figure[] {
  const bad = (why: string): BadFile =>
    new BadFile(`${path}: ${why}. Use a file that a benchmark wrote with --json`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw bad(`cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
  const read = figures.safeParse(json);
  if (read.success) return read.data.map(withoutGaps);
  const [issue] = read.error.issues;
  const place = (issue?.path ?? []).map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  throw bad(`at ${place.join("") || "the top"}: ${issue?.message}`);
}

/** Converts a result of this run to the same form. */
export function figureOf({ name, row, unit, better, rounds }: Result): Figure {
  return withoutGaps({ name, row, unit, better, rounds });
}

function withoutGaps<Some extends { readonly rounds: readonly (number | null)[] }>(
  figure: Some,
): Omit<Some, "rounds"> & { rounds: number[] } {
  return {
    ...figure,
    rounds: figure.rounds.filter((value) => value !== null && !Number.isNaN(value)) as number[],
  };
}
