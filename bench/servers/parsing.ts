import { readFileSync } from "node:fs";

/** A process that parses the lines of a file once: `node parsing.js FILE`. Writes the microseconds of CPU that took, without reading, in a list. */
const lines = readFileSync(process.argv[2] ?? "", "utf8").split("\n");
const from = process.cpuUsage();
for (const line of lines) if (line !== "") JSON.parse(line);
const { user, system } = process.cpuUsage(from);
process.stdout.write(JSON.stringify([user + system]));
