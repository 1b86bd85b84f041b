import { existsSync, readFileSync } from "node:fs";

/** What the verdict file says, against what was acknowledged. */
export interface Accounts {
  readonly traces: number;
  readonly spans: number;
  readonly verdicts: number;
  /** Acknowledged traces without a verdict. */
  readonly missing: readonly string[];
  /** Traces whose verdict saw fewer or more tools than were acknowledged. */
  readonly wrong: readonly string[];
  /** Verdict ids with a revision that occurs twice. */
  readonly doubled: readonly string[];
  /** Later revisions, which nothing here should cause. */
  readonly revised: number;
  /** Lines that a kill broke off in the middle of. */
  readonly brokenLines: number;
}

interface VerdictLine {
  readonly verdict_id: string;
  readonly revision: number;
  readonly trace_id: string;
  readonly complete: boolean;
  readonly metrics: { readonly tool_calls: number | null };
}

/** @param acknowledged tools of each trace of which every span was acknowledged */
export function settle(file: string, acknowledged: ReadonlyMap<string, number>): Accounts {
  const { lines, brokenLines } = readLines(file);
  const seen = new Set<string>();
  const doubled: string[] = [];
  const tools = new Map<string, number | null>();
  for (const { verdict_id: id, revision, trace_id: traceId, metrics } of lines) {
    const key = `${id} ${revision}`;
    if (seen.has(key)) doubled.push(key);
    seen.add(key);
    tools.set(traceId, metrics.tool_calls);
  }
  const traces = [...acknowledged];
  return {
    traces: traces.length,
    spans: traces.reduce((sum, [, count]) => sum + count + 1, 0),
    verdicts: lines.length,
    missing: traces.flatMap(([id]) => (tools.has(id) ? [] : [id])),
    wrong: traces.flatMap(([id, count]) => (tools.has(id) && tools.get(id) !== count ? [id] : [])),
    doubled,
    revised: lines.filter(({ revision }) => revision > 1).length,
    brokenLines,
  };
}

function readLines(file: string): { lines: VerdictLine[]; brokenLines: number } {
  let brokenLines = 0;
  const lines: VerdictLine[] = [];
  for (const line of linesOf(file)) {
    try {
      lines.push(JSON.parse(line) as VerdictLine);
    } catch {
      brokenLines++;
    }
  }
  return { lines, brokenLines };
}

/** Line by line, as a long run writes more than one string can hold. */
function* linesOf(file: string): Generator<string> {
  if (!existsSync(file)) return; // no verdict yet
  const bytes = readFileSync(file);
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    if (end > start) yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
}
