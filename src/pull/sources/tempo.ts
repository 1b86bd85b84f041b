import { isObject, type JsonValue } from "../../model/json.ts";
import { inParallel } from "../../support/structures/in-parallel.ts";
import { timeSlices } from "../time-slices.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import type { PullWindow } from "../window.ts";

/** Maximum number of traces per search. */
const TRACES = 500;
const CONCURRENCY = 4;

/**
 * Yields the traces that match a TraceQL query (`?query=`; by default, all traces), newest first. Searches with `/api/search`, and then
 * reads each trace by its id. The cursor is the end of the period that is not read yet.
 */
export async function* tempoPages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { address, client, onGap } = request;
  // Rounds to whole seconds, which Tempo's search requires.
  const window = {
    sinceMs: Math.floor(request.window.sinceMs / 1000) * 1000,
    untilMs: cursor === null ? Math.ceil(request.window.untilMs / 1000) * 1000 : Number(cursor),
  };
  const query = address.options.get("query") ?? "{}";
  const search = async (slice: PullWindow) => {
    const answer = await client.getJson(address.url, "/api/search", [
      ["q", query],
      ["start", slice.sinceMs / 1000],
      ["end", slice.untilMs / 1000],
      ["limit", TRACES],
      ["spss", 1],
    ]);
    const answered = traceIdsIn(client.listIn(answer, "traces", { isOptional: true }));
    return { answer: answered, isFull: answered.length >= TRACES };
  };
  const gap = (slice: PullWindow): void =>
    onGap(
      `at least ${TRACES} traces began at ${new Date(slice.sinceMs).toISOString()}: Tempo returns at most this number for one search, so some traces may be missing`,
    );
  const known = new Set<string>();
  for await (const { answer, startMs } of timeSlices(window, search, { shortestMs: 1000, onGap: gap })) {
    const traceIds = answer.filter((id) => !known.has(id));
    for (const id of traceIds) known.add(id);
    const answers = await inParallel(traceIds, CONCURRENCY, (id) => readTrace(request, id));
    yield {
      answers: answers.filter((one) => one !== undefined),
      next: startMs <= window.sinceMs ? null : String(startMs),
    };
  }
}

/** Reads one trace. Returns undefined if the trace was deleted after it was listed. */
async function readTrace(
  { address, client, onGap }: SourceRequest,
  id: string,
): Promise<JsonValue | undefined> {
  const answer =
    (await client.findJson(address.url, `/api/v2/traces/${id}`)) ??
    (await client.findJson(address.url, `/api/traces/${id}`));
  if (isObject(answer) && answer["status"] === "PARTIAL")
    onGap(`Tempo returned only part of trace ${id}, because the trace is larger than max_bytes_per_trace`);
  if (isObject(answer) && isObject(answer["trace"]) && Object.keys(answer["trace"]).length === 0)
    return undefined;
  return answer;
}

function traceIdsIn(traces: readonly JsonValue[]): string[] {
  return traces.flatMap((trace) =>
    isObject(trace) && typeof trace["traceID"] === "string" ? [trace["traceID"].padStart(32, "0")] : [],
  );
}
