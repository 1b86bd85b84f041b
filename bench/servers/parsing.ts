import { readFileSync } from "node:fs";

/**
 * A process that parses the lines of a file, over and over for so many microseconds of CPU, once without them: `node parsing.js FILE
 * [MICROSECONDS]`. Writes what once took, without reading, in a list.
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
