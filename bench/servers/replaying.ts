import { replay } from "../../src/replay/replay.ts";
import { judgeAll } from "../engine.ts";

/**
 * A process that judges a dump, after a small one so many times to warm up: `node replaying.js WARM SMALL TIMES FILE`. Tells the runs and the
 * microseconds of CPU of judging FILE so many times, and the most MiB that were resident.
 */
const [warm = "", small = "", times = "", file = ""] = process.argv.slice(2);
const judge = judgeAll();

async function judged(path: string): Promise<number> {
  let runs = 0;
  const onRun = (run: Parameters<typeof judge>[0]): void => void (runs += judge(run).verdicts.length);
  await replay([path], { config: { attributes: [], prices: {} }, stdin: process.stdin, onRun });
  return runs;
}

for (let warmed = 0; warmed < Number(warm); warmed++) await judged(small);
const from = process.cpuUsage();
let runs = 0;
for (let done = 0; done < Number(times); done++) runs += await judged(file);
const { user, system } = process.cpuUsage(from);
process.stdout.write(
  JSON.stringify({ runs, cpu: user + system, peak: process.resourceUsage().maxRSS / 1024 }),
);
