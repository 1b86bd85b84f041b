import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { splitLastSegment } from "../address.ts";
import { timeSlices } from "../time-slices.ts";
import { errorsOf } from "../store-client.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import type { PullWindow } from "../window.ts";
import { UserError } from "../../support/process/io.ts";

/** Maximum number of traces per request. */
const TRACES = 100;
/** Matches the service names of Jaeger itself. */
const itself = /^jaeger(?:$|-)/;

/**
 * Yields the traces of one service, or of all services except Jaeger itself, newest first. Reads `/api/v3/traces` (OTLP, with nanoseconds),
 * or, from an older Jaeger, `/api/traces`. The cursor contains the service, and the end of the period that is not read yet.
 */
export async function* jaegerPages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { url } = request.address;
  const { base, last } = splitLastSegment(url);
  const services = await servicesOf(request, last === "" ? [url] : [url, base]);
  const wanted = services.base === url ? services.names.filter((name) => !itself.test(name)) : [last];
  const { service: resumed, untilMs } = parseCursor(cursor) ?? { service: wanted[0], untilMs: null };
  const left = wanted.slice(Math.max(0, wanted.indexOf(resumed ?? "")));
  for (const [at, service] of left.entries()) {
    const window = at === 0 && untilMs !== null ? { ...request.window, untilMs } : request.window;
    const following = left[at + 1];
    for await (const { answers, startMs } of slicesOf(request, services, service, window)) {
      const isLast = startMs <= request.window.sinceMs;
      const next = isLast
        ? following && cursorOf(following, request.window.untilMs)
        : cursorOf(service, startMs);
      yield { answers, next: next ?? null };
    }
  }
}

interface Services {
  readonly base: URL;
  readonly hasV3: boolean;
  readonly names: readonly string[];
}

/** Tries the addresses one after another. Returns the services from the first address that has Jaeger's API. */
async function servicesOf({ client, address }: SourceRequest, bases: readonly URL[]): Promise<Services> {
  for (const base of bases) {
    const v3 = await apiAnswer(client.findJson(base, "/api/v3/services"));
    if (v3 !== undefined)
      return { base, hasV3: true, names: namesIn(client.listIn(v3, "services", { isOptional: true })) };
    const v1 = await apiAnswer(client.findJson(base, "/api/services"));
    if (v1 !== undefined)
      return { base, hasV3: false, names: namesIn(client.listIn(v1, "data", { isOptional: true })) };
  }
  throw new UserError(
    `${address.name}: no Jaeger found: neither /api/v3/services nor /api/services exists`,
    "write the address of Jaeger's web interface, as in jaeger:http://localhost:16686; for one service, append its name: jaeger:http://localhost:16686/SERVICE",
  );
}

/**
 * Returns the response if it is a JSON object, otherwise undefined, because Jaeger returns an HTML page for paths that it does not know.
 */
async function apiAnswer(answer: Promise<JsonValue | undefined>): Promise<JsonObject | undefined> {
  try {
    const value = await answer;
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof UserError && error.message.includes("not with JSON")) return undefined;
    throw error;
  }
}

function namesIn(names: readonly JsonValue[]): string[] {
  return names.filter((name) => typeof name === "string").sort();
}

async function* slicesOf(
  { client, onGap }: SourceRequest,
  { base, hasV3 }: Services,
  service: string,
  window: PullWindow,
): AsyncGenerator<{ readonly answers: readonly JsonValue[]; readonly startMs: number }> {
  const read = async (slice: PullWindow) => {
    const answer = hasV3
      ? await client.findJson(base, "/api/v3/traces", [
          ["query.service_name", service],
          ["query.start_time_min", new Date(slice.sinceMs).toISOString()],
          ["query.start_time_max", new Date(slice.untilMs).toISOString()],
          ["query.search_depth", TRACES],
          ["query.num_traces", TRACES],
        ])
      : await client.getJson(base, "/api/traces", [
          ["service", service],
          ["start", slice.sinceMs * 1000],
          ["end", slice.untilMs * 1000],
          ["limit", TRACES],
        ]);
    checkErrors(client, answer, onGap);
    return { answer, isFull: traceIdsIn(answer).size >= TRACES };
  };
  const gap = (slice: PullWindow): void =>
    onGap(
      `at least ${TRACES} traces of ${service} began at ${new Date(slice.sinceMs).toISOString()}: Jaeger returns at most this number, so some traces may be missing`,
    );
  for await (const { answer, startMs } of timeSlices(window, read, { shortestMs: 1, onGap: gap }))
    yield { answers: traceIdsIn(answer).size === 0 || answer === undefined ? [] : [answer], startMs };
}

/**
 * Jaeger answers with status 200 and errors, beside the traces or instead of them.
 * @throws UserError if there are errors and no traces
 */
function checkErrors(
  client: SourceRequest["client"],
  answer: JsonValue | undefined,
  onGap: SourceRequest["onGap"],
): void {
  if (!isObject(answer)) return;
  const errors = errorsOf(answer);
  if (errors.length === 0) return;
  if (traceIdsIn(answer).size === 0) client.listIn(answer, "data");
  for (const error of errors) onGap(`Jaeger answered with an error: ${client.shown(JSON.stringify(error))}`);
}

/** Returns the ids of all traces in a response of either version of the API. */
function traceIdsIn(answer: JsonValue | undefined): Set<string> {
  const found = new Set<string>();
  const visit = (value: JsonValue | undefined, depth: number): void => {
    if (isArray(value)) for (const one of value) visit(one, depth);
    if (!isObject(value) || depth > 5) return;
    const id = value["traceID"] ?? value["traceId"];
    if (typeof id === "string") found.add(id);
    else
      for (const key of ["result", "data", "resourceSpans", "scopeSpans", "spans"])
        visit(value[key], depth + 1);
  };
  visit(answer, 0);
  return found;
}

function cursorOf(service: string, untilMs: number): string {
  return JSON.stringify([untilMs, service]);
}

function parseCursor(cursor: string | null): { service: string; untilMs: number } | undefined {
  if (cursor === null) return undefined;
  const [untilMs, service] = JSON.parse(cursor) as [number, string];
  return { untilMs, service };
}
