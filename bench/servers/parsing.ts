import { readFileSync } from "node:fs";

/**
 * Parses the lines of a file repeatedly, for the given microseconds of CPU, or once: `node parsing.js FILE [MICROSECONDS]`. Prints a list
 * with one number, the mean CPU of parsing all lines once. Reading the file is not included.
 */
const [file = "", least = "0"] = process.argv.slice(2);
const lines = readFileSync(file, "utf8").split("\n");
const from = process.cpuUsage();
let taken = 0;
let times = 0;
while (times === 0 || taken < Number(least)) {
  for (const line of lines) if (line !== "") JSON.parse(line);
  times++;
  const { user, system } = process.cpuUsage(from);
  taken = user + system;
}
process.stdout.write(JSON.stringify([taken / times]));
