import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { splitLastSegment } from "../address.ts";
import { inParallel } from "../../support/structures/in-parallel.ts";
import type { Page, SourceRequest } from "../trace-source.ts";
import { UserError } from "../../support/process/io.ts";

const TRACES = 100;
const CONCURRENCY = 4;

/**
 * Yields the traces of an experiment, newest first. Searches with MLflow's API, and reads each trace's span artifact, which contains the
 * values as they were sent. `cursor` is the page token of MLflow's search.
 */
export async function* mlflowPages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { address, window, client } = request;
  const { base, last: experiment } = splitLastSegment(address.url);
  if (experiment === "")
    throw new UserError(
      `${address.name} contains no experiment`,
      `add its name or id: ${address.name}/Default`,
    );
  const experimentId = await experimentIdOf(request, base, experiment);
  let next = cursor;
  do {
    const answer = await client.postJson(base, "/api/3.0/mlflow/traces/search", {
      locations: [{ type: "MLFLOW_EXPERIMENT", mlflow_experiment: { experiment_id: experimentId } }],
      filter: `timestamp_ms >= ${window.sinceMs} AND timestamp_ms < ${window.untilMs}`,
      order_by: ["timestamp_ms DESC"],
      max_results: TRACES,
      ...(next === null ? {} : { page_token: next }),
    });
    if (!isObject(answer))
      throw new UserError(`${address.name}: this MLflow cannot search traces`, "update MLflow to version 3");
    const { next_page_token: token } = answer;
    const infos = client.listIn(answer, "traces", { isOptional: true }).filter(isObject);
    const answers = await inParallel(infos, CONCURRENCY, (info) => readTrace(request, base, info));
    next = typeof token === "string" && token !== "" ? token : null;
    yield { answers: answers.filter((one) => one !== undefined), next };
  } while (next !== null);
}

/** Returns the id of an experiment that the user gave by id or by name. A text of digits is an id, any other text a name. */
async function experimentIdOf(
  { address, client }: SourceRequest,
  base: URL,
  experiment: string,
): Promise<string> {
  if (/^\d+$/.test(experiment)) return experiment;
  const answer = await client.findJson(base, "/api/2.0/mlflow/experiments/get-by-name", [
    ["experiment_name", experiment],
  ]);
  const found = isObject(answer) ? answer["experiment"] : undefined;
  const id = isObject(found) ? found["experiment_id"] : undefined;
  if (typeof id === "string") return id;
  throw new UserError(
    `${address.name}: there is no experiment ${experiment}`,
    "the path's last part is its name or id, as in mlflow:http://localhost:5000/Default",
  );
}

/** Returns the info and spans of a trace; undefined if it has no spans. */
async function readTrace(
  { client, onGap }: SourceRequest,
  base: URL,
  info: JsonObject,
): Promise<JsonValue | undefined> {
  const { trace_id: id } = info;
  if (typeof id !== "string") return undefined;
  const answer = await client.findJson(base, "/ajax-api/2.0/mlflow/get-trace-artifact", [["request_id", id]]);
  if (isObject(answer) && isArray(answer["spans"])) return { trace_info: info, spans: answer["spans"] };
  onGap(`MLflow has no spans of trace ${id}`);
  return undefined;
}
