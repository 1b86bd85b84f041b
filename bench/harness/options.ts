import { parseArgs } from "node:util";
import type { Margins } from "../compare/compare.ts";

/** The options and the description of a benchmark. */
export interface Offered {
  /** Name of the npm script, for example `long -- bench/growth`. */
  readonly script: string;
  /** Description of the benchmark. */
  readonly what: string;
  /** Description of the names for `--only`. */
  readonly only: string;
  /** Whether `--only` accepts this name. */
  isKnown(name: string): boolean;
  /** Common prefix of all figures' names; `--only` accepts names without it. */
  readonly prefix?: string;
  /** Options that only this benchmark has. */
  readonly own?: Readonly<Record<string, OwnOption>>;
}

export interface OwnOption {
  /** Value if the option is not given. */
  readonly absent: string;
  /** Placeholder of the value in the help. */
  readonly shown: string;
  readonly help: string;
}

/** The options that were given. */
export interface Asked {
  readonly only: readonly string[];
  readonly rounds: number;
  /** Values of the benchmark's own options. */
  readonly own: Readonly<Record<string, string>>;
  readonly json: string | undefined;
  /** The saved run that the results are compared with. */
  readonly against: string | undefined;
  /** Two saved runs to compare; nothing is measured. */
  readonly compare: readonly string[] | null;
  readonly margins: Margins;
  readonly help: boolean;
}

/** An invalid option. The message names the option and its valid values. */
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
  if (unknown >= 0)
    throw new BadOption(`--only ${only[unknown]}: no figure has this name. Give ${offered.only}`);
  if (compare && positionals.length !== 2)
    throw new BadOption(`--compare needs two files, OLD and NEW; ${positionals.length} given`);
  if (!compare && positionals.length > 0)
    throw new BadOption(`${positionals.join(" ")}: remove it; only --compare takes files`);
  if (!/^[1-9]\d*$/.test(rounds)) throw new BadOption(`--rounds ${rounds}: give a whole number ≥ 1`);
  if (!(Number(margin) >= 0)) throw new BadOption(`--margin ${margin}: give a number ≥ 0`);
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
    ["only NAME", `${only}; repeatable`],
    ["rounds 3", "interleaved rounds per figure; use 9 for a comparison"],
    ["json FILE", "saves the results"],
    ...Object.entries(own).map(([name, { shown, help }]) => [`${name} ${shown}`, help]),
    ["against FILE", "compares with a run that was saved with --json"],
    ["compare OLD NEW", "compares two saved runs and measures nothing"],
    ["margin 5", "change in per cent up to which a figure counts as the same"],
    ["times", "also judges times (µs, ms); by default only ratios, sizes and exponents"],
  ];
  const options = rows.map(([option = "", help = ""]) => `  --${option.padEnd(18)} ${help}`);
  return `npm run ${script} -- [options]

${what}

${options.join("\n")}

A comparison shows how the median of each figure changed, with its 95 % interval, bootstrapped over the rounds. A figure is "worse" or "better" if
the whole interval is beyond the margin, "same" if the whole interval is within the margin, and otherwise "cannot tell". With --against, each worse
figure is measured again; it is worse only if it is worse both times.

Exit code 1: a figure got worse or could not be measured. Exit code 2: an option or a file is invalid.
`;
}
