import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { inParallel } from "../../support/structures/in-parallel.ts";
import type { QueryParameter } from "../store-client.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import { UserError } from "../../support/process/io.ts";

const TRACES = 50;
/** Maximum number of concurrent requests. The number is small, because Langfuse's cloud allows few requests per minute. */
const CONCURRENCY = 2;

/**
 * Yields the traces of the project to which the API keys belong, newest first. Reads `/api/public/traces`, and then each trace with its
 * observations. The cursor is the page number.
 */
export async function* langfusePages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { address, window, client } = request;
  const environment = address.options.get("environment");
  for (let page = Number(cursor ?? 1); ; page++) {
    const query: QueryParameter[] = [
      ["fromTimestamp", new Date(window.sinceMs).toISOString()],
      ["toTimestamp", new Date(window.untilMs).toISOString()],
      ["orderBy", "timestamp.desc"],
      ["fields", "core"],
      ["limit", TRACES],
      ["page", page],
    ];
    if (environment !== undefined) query.push(["environment", environment]);
    const answer = await client.getJson(address.url, "/api/public/traces", query);
    const { data, meta } = isObject(answer) ? answer : {};
    if (!isArray(data) || !isObject(meta))
      throw new UserError(
        `${address.name}: /api/public/traces returned no page of traces`,
        "check that this is the address of a Langfuse server",
      );
    const ids = data.flatMap((trace) =>
      isObject(trace) && typeof trace["id"] === "string" ? [trace["id"]] : [],
    );
    const answers = await inParallel(ids, CONCURRENCY, (id) => readTrace(request, id));
    const isLast = ids.length === 0 || page >= Number(meta["totalPages"]);
    yield { answers: answers.filter((one) => one !== undefined), next: isLast ? null : String(page + 1) };
    if (isLast) return;
  }
}

/** Reads one trace. Returns undefined if the trace was deleted after it was listed. */
async function readTrace({ address, client }: SourceRequest, id: string): Promise<JsonValue | undefined> {
  return await client.findJson(address.url, `/api/public/traces/${encodeURIComponent(id)}`);
}
