import { replay } from "../../src/cli/engine/replay.ts";
import { judgeAll } from "../engine.ts";

/**
 * A process that judges a dump, after a small one so many times to warm up: `node replaying.js TIMES WARM FILE`. Tells runs, microseconds of CPU that
 * the last one took, and the most MiB that were resident.
 */
const [times = "", warm = "", file = ""] = process.argv.slice(2);
const judge = judgeAll();

async function judged(path: string): Promise<number> {
  let runs = 0;
  const onRun = (run: Parameters<typeof judge>[0]): void => void (runs += judge(run).verdicts.length);
  await replay([path], { config: { attributes: [], prices: {} }, stdin: process.stdin, onRun });
  return runs;
}

for (let warmed = 0; warmed < Number(times); warmed++) await judged(warm);
const from = process.cpuUsage();
const runs = await judged(file);
const { user, system } = process.cpuUsage(from);
process.stdout.write(
  JSON.stringify({ runs, cpu: user + system, peak: process.resourceUsage().maxRSS / 1024 }),
);
