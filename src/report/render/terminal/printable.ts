import { readable, showHidden } from "../../../support/structures/control-characters.ts";

export const plainTheme: Theme = { good: plain, bad: plain, unsure: plain, hint: plain, dim: plain };

export const colourTheme: Theme = {
  good: colour(32),
  bad: colour(31),
  unsure: colour(33),
  hint: colour(36),
  dim: colour(90),
};

/** Returns untrusted text on one line without control characters, with at most `longest` UTF-16 units. */
export function printable(text: string, longest = 160): string {
  // White space is collapsed first, so that a carriage return becomes a space and not U+FFFD.
  const line = readable(showHidden(text.slice(0, longest * 4)).replace(/\s+/g, " ")).trim();
  if (line.length <= longest) return text.length > longest * 4 ? `${line}…` : line;
  const end = longest - 1;
  const split = line.charCodeAt(end - 1) >= 0xd800 && line.charCodeAt(end - 1) <= 0xdbff;
  return `${line.slice(0, split ? end - 1 : end)}…`;
}

/** Formats a duration in milliseconds, such as `1.8 s`, `820 ms` or `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats a number with a noun, such as `1 run` or `3 runs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Colours of the console output. A colour alone never carries a meaning: a word or symbol says the same. */
export interface Theme {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  /** Colour of warnings and undecided results. */
  readonly unsure: (text: string) => string;
  /** Colour of paths, commands and hints. */
  readonly hint: (text: string) => string;
  /** Colour of less important text. */
  readonly dim: (text: string) => string;
}

function plain(text: string): string {
  return text;
}

function colour(code: number): (text: string) => string {
  return (text) => `\u001b[${code}m${text}\u001b[39m`;
}
