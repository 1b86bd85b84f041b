import { parseArgs, type ParseArgsConfig } from "node:util";
import type { Margins } from "../compare/compare.ts";

/** What a benchmark can be asked for. */
export interface Offered {
  /** `bench:growth`. */
  readonly script: string;
  /** What it measures, in words. */
  readonly what: string;
  /** What `--only` can name, in words. */
  readonly only: string;
  /** Whether `--only` can name this. */
  isKnown(name: string): boolean;
  /** What the names of all its figures begin with, which `--only` may leave out. */
  readonly prefix?: string;
  /** Options of its own. */
  readonly own?: Readonly<Record<string, OwnOption>>;
}

export interface OwnOption {
  /** What stands for it when it is not given. */
  readonly absent: string;
  /** What the help shows as its value. */
  readonly shown: string;
  readonly help: string;
  /** For a whole number. */
  readonly atLeast?: number;
}

/** What somebody asked a benchmark for. */
export interface Asked {
  readonly only: readonly string[];
  readonly rounds: number;
  /** Options of its own. */
  readonly own: Readonly<Record<string, string>>;
  readonly json: string | undefined;
  /** The saved run to compare with. */
  readonly against: string | undefined;
  /** Two saved runs to compare instead of measuring. */
  readonly compare: readonly [older: string, newer: string] | null;
  readonly margins: Margins;
  readonly help: boolean;
}

/** An option that cannot be used: which, and what would do. */
export class BadOption extends Error {
  override readonly name = "BadOption";
}

/** @throws BadOption */
export function readOptions(offered: Offered, args: readonly string[]): Asked {
  const { own: offeredOwn = {}, prefix = "" } = offered;
  const { values, positionals } = parsed(offeredOwn, args);
  const text = (name: string): string | undefined =>
    typeof values[name] === "string" ? values[name] : undefined;
  const number = (name: string, least: number, whole = true): number =>
    numberOf(name, text(name) ?? "", least, whole);
  const only = [values["only"] ?? []].flat().map(String);
  const asked = only.map((name) => (name.startsWith(prefix) ? name : prefix + name));
  const unknown = asked.findIndex((name) => !offered.isKnown(name));
  if (unknown >= 0) throw new BadOption(`--only ${only[unknown]}: there is none. It names ${offered.only}`);
  for (const [name, { atLeast }] of Object.entries(offeredOwn))
    if (atLeast !== undefined) number(name, atLeast);
  const compare = values["compare"] === true ? pair(positionals) : null;
  if (compare === null && positionals.length > 0)
    throw new BadOption(`${positionals.join(" ")} belongs to no option`);
  return {
    only: asked,
    rounds: number("rounds", 1),
    own: Object.fromEntries(Object.keys(offeredOwn).map((name) => [name, text(name) ?? ""])),
    json: text("json"),
    against: text("against"),
    compare,
    margins: { margin: number("margin", 0, false) / 100, times: values["times"] === true },
    help: values["help"] === true,
  };
}

type Parsed = ReturnType<typeof parseArgs>;

function parsed(own: Readonly<Record<string, OwnOption>>, args: readonly string[]): Parsed {
  const options: ParseArgsConfig["options"] = {
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "3" },
    json: { type: "string" },
    against: { type: "string" },
    compare: { type: "boolean" },
    margin: { type: "string", default: "5" },
    times: { type: "boolean" },
    help: { type: "boolean" },
    ...Object.fromEntries(
      Object.entries(own).map(([name, { absent }]) => [name, { type: "string", default: absent } as const]),
    ),
  };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw new BadOption(error.message.replace(/\. To specify.*$/s, ""));
    throw error;
  }
}

function pair(files: readonly string[]): readonly [older: string, newer: string] {
  const [older, newer, ...more] = files;
  if (older === undefined || newer === undefined || more.length > 0)
    throw new BadOption(`--compare takes two files, OLD and NEW, and not ${files.length}`);
  return [older, newer];
}

function numberOf(name: string, given: string, least: number, whole: boolean): number {
  const number = given.trim() === "" ? Number.NaN : Number(given);
  if (number >= least && Number.isFinite(number) && (!whole || Number.isInteger(number))) return number;
  throw new BadOption(`--${name} ${given}: it takes a ${whole ? "whole number" : "number"} from ${least} on`);
}

export function usageOf({ script, what, only, own = {} }: Offered): string {
  const keys = "name, row, value, unit, goal, holds, spread, rounds, better, what";
  const rows = [
    ["only NAME", `${only}; may be given several times`],
    ["rounds 3", "interleaved rounds a figure: more for a narrower spread, some nine for a comparison"],
    ["json FILE", `saves the results as an array of { ${keys} }`],
    ...Object.entries(own).map(([name, { shown, help }]) => [`${name} ${shown}`, help]),
    ["against FILE", "compares with a run that was saved with --json"],
    ["compare OLD NEW", "compares two saved runs and measures nothing"],
    ["margin 5", "per cent that a figure may change by and still count as the same"],
    ["times", "judges times (µs, ms), too; else only ratios, sizes and powers are judged"],
  ];
  const options = rows.map(([option = "", help = ""]) => `  --${option.padEnd(18)} ${help}`);
  return `npm run ${script} -- [options]

${what}

${options.join("\n")}

A comparison tells how the median of each figure changed, with the interval that holds 95 %, bootstrapped over the rounds. It is "worse" or "better"
where all of the interval lies beyond the margin, "same" where all of it lies within, and "cannot tell" else. With --against, what looks worse is
measured once more and is worse when it looks so again.

Ends with 1 when a figure got worse or could not be measured, with 2 for options or files that cannot be used.
`;
}
