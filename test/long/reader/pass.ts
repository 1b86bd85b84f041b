import { judgeAll } from "../../../bench/engine.ts";
import { unlimitedTraceTimeouts } from "../../../src/assemble/timeouts/trace-timeouts.ts";
import { decodeRequest } from "../../../src/receive/body/decode-request.ts";
import { createEngine } from "../../../src/replay/engine.ts";
import { reportVerdict } from "../../../src/report/render/findings/reported.ts";
import { savedVerdicts } from "../../../src/report/render/findings/saved-findings.ts";
import type { Body } from "../runs/records.ts";

const judge = judgeAll("*");

/** From the bodies of requests to the texts of verdicts, like `test --format json`. Returns the number of runs. */
export function judgeBodies(bodies: readonly Body[]): number {
  let runs = 0;
  const { pipeline } = createEngine({
    timeouts: unlimitedTraceTimeouts,
    quietMs: Infinity,
    attributes: [],
    prices: {},
    seed: 0,
    onRun: (run) => {
      runs++;
      for (const verdict of judge(run).verdicts) savedVerdicts.save(reportVerdict(verdict));
    },
  });
  for (const { bytes, signal, encoding } of bodies) {
    const decoded = decodeRequest(bytes, signal, encoding);
    if (!decoded.ok) throw new Error(`a recording cannot be decoded: ${decoded.message}`);
    if (decoded.batch !== null) pipeline.accept(decoded.batch, 0);
  }
  pipeline.drain("eof", 0);
  return runs;
}

/** CPU of all threads in microseconds. */
export function cpuOf(work: () => unknown): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return user + system;
}
