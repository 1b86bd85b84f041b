import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Result } from "../harness/result.ts";

/** What a comparison needs of a figure. */
export interface Figure {
  readonly name: string;
  readonly row: string | null;
  readonly unit: string;
  /** Which direction is the better one; null where it is not stated. */
  readonly better: "less" | "more" | null;
  /** What each round measured; null where only the median was kept, empty where it could not be measured. */
  readonly rounds: readonly number[] | null;
}

/** A file that is no saved run: what, where, and how to get a good one. */
export class BadFile extends Error {
  override readonly name = "BadFile";
}

const figure = z.object({
  name: z.string().min(1),
  row: z.string().nullish(),
  unit: z.string(),
  goal: z.string().nullish(),
  better: z.enum(["less", "more"]).nullish(),
  rounds: z.array(z.number().nullable()).optional(),
});

/** The figures of a file that `--json` wrote. @throws BadFile */
export function readSaved(path: string): Figure[] {
  return parseSaved(path, textOf(path));
}

/** @throws BadFile */
export function parseSaved(path: string, text: string): Figure[] {
  const bad = (why: string): BadFile =>
    new BadFile(`${path}: ${why}. It should be a file that a benchmark wrote with --json`);
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw bad(text.trim() === "" ? "the file is empty" : `no JSON (${messageOf(error)})`);
  }
  const read = z.array(figure).safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw bad(`at ${placeOf(issue?.path ?? [])}: ${issue?.message ?? "not a figure"}`);
  }
  if (read.data.length === 0) throw bad("there is no figure in it");
  const twice = read.data.find(({ name }, at) => read.data.findIndex((one) => one.name === name) < at);
  if (twice !== undefined) throw bad(`${twice.name} is there twice`);
  return read.data.map(({ name, row, unit, goal, better, rounds }) => ({
    name,
    row: row ?? null,
    unit,
    better: better ?? directionOf(goal ?? "", unit),
    rounds: rounds === undefined ? null : rounds.filter((value) => value !== null),
  }));
}

/** The same of what was just measured. */
export function figureOf({ name, row, unit, better, rounds }: Result): Figure {
  return { name, row, unit, better, rounds: rounds.filter((value) => !Number.isNaN(value)) };
}

/** Files of before this was written down have it in their goal, or in their unit: nobody wants more time or memory. */
function directionOf(goal: string, unit: string): Figure["better"] {
  if (goal.startsWith(">=")) return "more";
  return goal.startsWith("<=") || !["x", ""].includes(unit) ? "less" : null;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new BadFile(`${path}: cannot be read (${messageOf(error)}). Save a run with --json ${path} first`);
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0
    ? "the top"
    : path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
