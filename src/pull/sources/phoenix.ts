import { isObject, type JsonValue } from "../../model/json.ts";
import { splitLastSegment } from "../address.ts";
import { CursorTrail } from "../pull-limits.ts";
import type { QueryParameter } from "../store-client.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import { UserError } from "../../support/process/io.ts";

/** Maximum number of traces whose spans are requested at once. */
const TRACES = 50;
const SPANS = 1000;

/**
 * Yields the traces of a project that began in the period, newest first, each with all its spans. Reads `/v1/projects/P/traces`, and then
 * `/v1/projects/P/spans?trace_id=…`. The cursor is the cursor of Phoenix's list of traces.
 */
export async function* phoenixPages(
  { address, window, client }: SourceRequest,
  cursor: string | null,
): AsyncGenerator<Page> {
  const { base, last: project } = splitLastSegment(address.url);
  if (project === "")
    throw new UserError(`${address.name} contains no project`, `add its name: ${address.name}/default`);
  const path = `/v1/projects/${encodeURIComponent(project)}`;
  const spansOf = async (traceIds: readonly string[]): Promise<JsonValue[]> => {
    const answers: JsonValue[] = [];
    const cursors = new CursorTrail("spans");
    for (let next: string | null = ""; next !== null;) {
      const query: QueryParameter[] = traceIds.map((id) => ["trace_id", id]);
      if (next !== "") query.push(["cursor", next]);
      const answer = await client.getJson(base, `${path}/spans`, [...query, ["limit", SPANS]]);
      client.listIn(answer, "data");
      answers.push(answer);
      next = nextCursor(answer);
      if (next !== null) cursors.follow(address.name, next);
    }
    return answers;
  };
  let next = cursor;
  do {
    const query: QueryParameter[] = [
      ["start_time", new Date(window.sinceMs).toISOString()],
      ["end_time", new Date(window.untilMs).toISOString()],
      ["sort", "start_time"],
      ["order", "desc"],
      ["limit", TRACES],
    ];
    if (next !== null) query.push(["cursor", next]);
    const answer = await client.findJson(base, `${path}/traces`, query);
    if (answer === undefined) throw noProject(address.name, project);
    const traceIds = client
      .listIn(answer, "data")
      .flatMap((one) => (isObject(one) && typeof one["trace_id"] === "string" ? [one["trace_id"]] : []));
    next = nextCursor(answer);
    yield { answers: traceIds.length === 0 ? [] : await spansOf(traceIds), next };
  } while (next !== null);
}

function noProject(name: string, project: string): UserError {
  return new UserError(
    `${name}: there is no project ${project}, or this Phoenix cannot list traces`,
    "the path's last part is the project, as in phoenix:http://localhost:6006/default; update a Phoenix that has no /v1/projects/NAME/traces",
  );
}

function nextCursor(answer: JsonValue): string | null {
  const next = isObject(answer) ? answer["next_cursor"] : undefined;
  return typeof next === "string" && next !== "" ? next : null;
}
