import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "../../../support/process/exit-code.ts";
import type { Io } from "../../../support/process/io.ts";

/** Adds one command to the program. The command's code is loaded on first use, so that `--help` is fast. */
export type Declare = (program: Command, io: Io, done: (code: ExitCode) => void) => void;

export function withConfig(command: Command): Command {
  return command
    .option("--config <file>", "configuration file; repeat to merge several files", collect, [])
    .option("--no-config", "ignore the tracejury.yaml of the project")
    .option("--set <key=value>", "set a configuration key, such as receive.http=127.0.0.1:0", collect, []);
}

/** Returns an example line for the end of a command's help. */
export function example(line: string): ["after", string] {
  return ["after", `\nExample:\n  ${line}\n`];
}

export const dumps =
  "dump files, folders or globs; - for standard input; the admin address of a running serve; or a source as for pull";

/** Returns the option `--format` with its formats and the default. */
export function formatOption<Format extends string>(names: readonly Format[], otherwise: Format) {
  return ["--format <format>", names.join(" | "), choice(...names), otherwise] as const;
}

export const judgeOption = [
  "--judge <mode>",
  "auto | off | required (default: judge.mode of the configuration)",
  choice("auto", "off", "required"),
] as const;

/** Collects the values of a repeated option. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function list(value: string): string[] {
  return value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

export function whole(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (value.trim() !== "" && Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  };
}

/** Parses a number of workers; `auto` is the number of CPU cores. */
export function workers(value: string): number {
  return value === "auto"
    ? Math.min(MOST_WORKERS, availableParallelism())
    : wholeNumber(value, 1, MOST_WORKERS, " or auto");
}

/** Parses how often a query is sent to an agent. */
export function runs(value: string): number | "auto" {
  return value === "auto" ? value : wholeNumber(value, 1, 1000, " or auto");
}

export function amount(value: string): number {
  const number = value.trim() === "" ? NaN : Number(value);
  if (!(number > 0 && number < Infinity)) throw new InvalidArgumentError("Must be a number above 0.");
  return number;
}

const MOST_WORKERS = 64;

export function repeats(value: string): number {
  return wholeNumber(value, 2, 20);
}

export function mutants(value: string): number {
  return wholeNumber(value, 1, 100);
}

export function seed(value: string): number {
  return wholeNumber(value, 0, 2 ** 32 - 1);
}

function wholeNumber(value: string, least: number, most: number, or = ""): number {
  const number = value.trim() === "" ? NaN : Number(value);
  if (!(Number.isInteger(number) && number >= least && number <= most)) {
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}${or}.`);
  }
  return number;
}

export function share(value: string): number {
  const number = value.trim() === "" ? NaN : Number(value);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("Must be a number from 0 to 1.");
  return number;
}

export function choice(...allowed: readonly string[]): (value: string) => string {
  return (value) => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Allowed: ${allowed.join(", ")}.`);
    return value;
  };
}
