import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const parsing = fileURLToPath(new URL("../servers/parsing.js", import.meta.url));
const LEAST_US = 200_000;

/**
 * Microseconds of CPU of `JSON.parse` of all lines of a file once. It runs in a process of its own, so that its garbage is not
 * collected as part of another measurement.
 */
export function parsed(file: string): number {
  const [taken = Number.NaN] = JSON.parse(
    execFileSync(process.execPath, [parsing, file, String(LEAST_US)], { encoding: "utf8" }),
  ) as number[];
  return taken;
}
