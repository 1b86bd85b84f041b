import { availableParallelism } from "node:os";
import { InvalidArgumentError } from "commander";

/** Converts a value of the command line. `before` is the result for the values of the same option that precede this one. */
export type Parser<Before = never> = (value: string, before: Before) => unknown;

/** Marks an option whose allowed values are listed in its description, such as `a | b | c`. */
export const choice = Symbol("choice");

/** Parser or default of an option. Possible are a parser, a parser with a default, and the default of a text option. */
export type Value = Parser | typeof choice | readonly [Parser | typeof choice, unknown] | string;

export const dumps =
  "dump files, folders or globs; - for standard input; the admin address of a running serve; or the address of a trace store, as for pull";

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** An option that can be repeated. The default is an empty list. */
export const many: Value = [collect, []];

/** Returns the value unchanged, for an option that can be repeated in other commands, but not in the command that uses this parser. */
export function text(value: string): string {
  return value;
}

/** Parses a list whose items are separated by commas. If the option is repeated, the lists are joined. */
export function list(value: string, before: readonly string[] = []): string[] {
  const items = value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return [...before, ...items];
}

/** Returns a parser of whole numbers. `or` is added to the error message, to name another allowed value. */
export function whole(least: number, most: number, or = ""): (value: string) => number {
  return (value) => {
    const number = value.trim() === "" ? NaN : Number(value);
    if (Number.isInteger(number) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}${or}.`);
  };
}

const MOST_WORKERS = 64;

/** Parses a number of workers. `auto` means the number of CPU cores, at most `MOST_WORKERS`. */
export function workers(value: string): number {
  if (value === "auto") return Math.min(MOST_WORKERS, availableParallelism());
  return whole(1, MOST_WORKERS, " or auto")(value);
}

/** Parses the value of `--runs`: how often each query is sent to the agent. */
export function runs(value: string): number | "auto" {
  return value === "auto" ? value : whole(1, 1000, " or auto")(value);
}

export function amount(value: string): number {
  const number = value.trim() === "" ? NaN : Number(value);
  if (!(number > 0 && number < Infinity)) throw new InvalidArgumentError("Must be a number above 0.");
  return number;
}

export function share(value: string): number {
  const number = value.trim() === "" ? NaN : Number(value);
  if (!(number >= 0 && number <= 1)) throw new InvalidArgumentError("Must be a number from 0 to 1.");
  return number;
}

export function oneOf(...allowed: readonly string[]): (value: string) => string {
  return (value) => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Allowed: ${allowed.join(", ")}.`);
    return value;
  };
}

/** Returns the parser of an option that may be given once. A second value is an error: otherwise it would silently replace the first. */
export function oneGateOf(...allowed: readonly string[]): (value: string, before?: string) => string {
  const parse = oneOf(...allowed);
  return (value, before) => {
    if (before !== undefined) throw new InvalidArgumentError("Only one value is possible.");
    return parse(value);
  };
}

/** Returns a parser that accepts only the values that the description lists, such as `a | b | c`. */
export function choicesOf(description: string): (value: string) => string {
  return oneOf(...(/[\w-]+(?: \| [\w-]+)+/.exec(description)?.[0] ?? "").split(" | "));
}
