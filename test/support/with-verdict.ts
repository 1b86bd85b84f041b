import type { ReportedVerdict } from "../../src/report/render/findings/reported.ts";
import type { VerdictJson } from "../../src/report/json/verdict-schema.ts";

/** The same reported verdict with other contents. */
export function withVerdict(reported: ReportedVerdict, verdict: VerdictJson): ReportedVerdict {
  const { place, tools, handoffs, answer, steps, compared } = reported;
  return { place, verdict, tools, handoffs, answer, steps, compared };
}
