import { parseArgs } from "node:util";
import type { Margins } from "../compare/compare.ts";

/** What a benchmark can be asked for. */
export interface Offered {
  /** `long -- bench/growth`. */
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
  readonly compare: readonly string[] | null;
  readonly margins: Margins;
  readonly help: boolean;
}

/** An option that cannot be used: which, and what would do. */
export class BadOption extends Error {
  override readonly name = "BadOption";
}

/** @throws BadOption */
export function readOptions(offered: Offered, args: readonly string[]): Asked {
  const { own = {}, prefix = "" } = offered;
  const values = parsed(own, args);
  const { only, compare, positionals, rounds, margin } = values;
  const asked = only.map((name) => (name.startsWith(prefix) ? name : prefix + name));
  const unknown = asked.findIndex((name) => !offered.isKnown(name));
  if (unknown >= 0) throw new BadOption(`--only ${only[unknown]}: there is none. It names ${offered.only}`);
  if (compare && positionals.length !== 2)
    throw new BadOption(`--compare takes two files, OLD and NEW, and not ${positionals.length}`);
  if (!compare && positionals.length > 0)
    throw new BadOption(`${positionals.join(" ")} belongs to no option`);
  if (!/^[1-9]\d*$/.test(rounds))
    throw new BadOption(`--rounds ${rounds}: it takes a whole number from 1 on`);
  if (!(Number(margin) >= 0)) throw new BadOption(`--margin ${margin}: it takes a number from 0 on`);
  const { own: given, json, against, help } = values;
  return {
    own: given,
    json,
    against,
    help,
    only: asked,
    rounds: Number(rounds),
    compare: compare ? positionals : null,
    margins: { margin: Number(margin) / 100, times: values.times },
  };
}

function parsed(own: Readonly<Record<string, OwnOption>>, args: readonly string[]) {
  const names = Object.entries(own);
  const more = Object.fromEntries(
    names.map(([name, { absent }]) => [name, { type: "string", default: absent } as const]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...more,
        only: { type: "string", multiple: true, default: [] },
        rounds: { type: "string", default: "3" },
        json: { type: "string" },
        against: { type: "string" },
        compare: { type: "boolean", default: false },
        margin: { type: "string", default: "5" },
        times: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const all: Readonly<Record<string, unknown>> = values;
    return {
      ...values,
      own: Object.fromEntries(names.map(([name]) => [name, String(all[name])])),
      positionals,
    };
  } catch (error) {
    if (error instanceof TypeError) throw new BadOption(error.message.replace(/\. To specify.*$/s, ""));
    throw error;
  }
}

export function usageOf({ script, what, only, own = {} }: Offered): string {
  const rows = [
    ["only NAME", `${only}; may be given several times`],
    ["rounds 3", "interleaved rounds a figure: more for a narrower spread, some nine for a comparison"],
    ["json FILE", "saves the results"],
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
