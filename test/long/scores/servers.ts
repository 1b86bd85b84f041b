import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../support/free-port.ts";
import { startLangfuse } from "../../support/score-backends.ts";

/** A tool with judged traces. */
export interface ScoreServer {
  readonly url: string;
  /** Where the traces are sent; null where it takes none. */
  readonly forward: object | null;
  scores(traceIds: readonly string[]): Promise<readonly PostedScore[]>;
  /** Pages that show them, for pictures. */
  pages(): Promise<readonly ScorePage[]>;
  /** Traces of Tracejury's own work; null where it takes no traces. */
  readonly own: OwnTracesPlace | null;
  close(): Promise<void>;
}

/** A score as the tool gives it back. */
export interface PostedScore {
  readonly traceId: string;
  readonly name: string;
  readonly revision: string;
  readonly outcome: string;
}

function postedScore(
  traceId: string,
  name: string,
  metadata: Readonly<Record<string, unknown>>,
): PostedScore {
  const text = (key: string): string => String(metadata[`tracejury.${key}`]);
  return { traceId, name, revision: text("revision"), outcome: text("outcome") };
}

/** A project of their own for Tracejury's traces. */
export interface OwnTracesPlace {
  /** Which put them there. */
  readonly headers: Readonly<Record<string, string>>;
  spans(): Promise<OwnSpans>;
  pages(): Promise<readonly ScorePage[]>;
}

/** Spans of each kind that a tool has of Tracejury's own work. */
export interface OwnSpans {
  readonly evaluations: number;
  /** Requests to judges below an evaluation, with tokens and cost. */
  readonly judgeCalls: number;
  readonly deliveries: number;
}

/** A page of a tool: what it shows once it has loaded, and what is opened then. */
export interface ScorePage {
  readonly url: string;
  readonly text: string;
  readonly open?: string;
}

const versions = { "arize-phoenix": "20.26.1", mlflow: "3.17.2" };
const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A Python with the package: one of its own below `dist`, made the first time with `pip` (some minutes), or that of the variable. */
function pythonWith(name: keyof typeof versions): string {
  const given = process.env[`${name.replace("arize-", "").toUpperCase()}_PYTHON`];
  if (given !== undefined) return given;
  const folder = join(root, "dist/python", name);
  const python = join(folder, "bin/python");
  if (existsSync(join(folder, "installed"))) return python;
  const run = (program: string, ...args: string[]): void => {
    const { status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0)
      throw new Error(`${program} ${args.join(" ")} ended with ${status}; it needs Python 3.10 or newer`);
  };
  run("python3", "-m", "venv", folder);
  run(python, "-m", "pip", "install", "--quiet", `${name}==${versions[name]}`);
  mkdirSync(join(folder, "installed"));
  return python;
}

async function startPython(
  python: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  folder: string,
  ready: string,
): Promise<ChildProcess> {
  const log = openSync(join(folder, "server.log"), "w");
  // A group of its own: MLflow starts workers, which are to end with it.
  const child = spawn(python, args, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", log, log],
    env: { ...process.env, ...env },
  });
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended; ${folder}/server.log says why`);
    if ((await fetch(ready).catch(() => null))?.ok === true) return child;
    await sleep(200);
  }
  throw new Error(`${args.join(" ")} does not answer; ${folder}/server.log says why`);
}

async function endGroup(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  await Promise.race([exit, sleep(5000)]);
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    process.kill(-child.pid, "SIGKILL");
  }
}

interface NamedSpan {
  readonly name: string;
  readonly parent: string | null | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
}

function countOwn(spans: readonly NamedSpan[]): OwnSpans {
  const needed = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "tracejury.judge.cost"];
  const isJudgeCall = ({ name, parent, attributes }: NamedSpan): boolean =>
    name.startsWith("chat ") &&
    typeof parent === "string" &&
    needed.every((key) => Number(attributes[key]) > 0);
  return {
    evaluations: spans.filter(({ name }) => name === "evaluate").length,
    judgeCalls: spans.filter(isJudgeCall).length,
    deliveries: spans.filter(({ name }) => name.startsWith("export ")).length,
  };
}

const ownProject = "tracejury";

export async function phoenix(folder: string): Promise<ScoreServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PHOENIX_WORKING_DIR: folder,
    PHOENIX_HOST: "127.0.0.1",
    PHOENIX_PORT: String(port),
    PHOENIX_GRPC_PORT: String(await freePort()),
    PHOENIX_TELEMETRY_ENABLED: "false",
  };
  const args = ["-m", "phoenix.server.main", "serve"];
  const child = await startPython(pythonWith("arize-phoenix"), args, env, folder, `${url}/healthz`);
  return {
    url,
    forward: { endpoint: url },
    async scores() {
      const found: PostedScore[] = [];
      const spans = await json<{ data: Span[] }>(`${url}/v1/projects/default/spans?limit=1000`);
      const byId = new Map(spans.data.map(({ context }) => [context.span_id, context.trace_id]));
      const ids = [...byId.keys()];
      for (let at = 0; at < ids.length; at += 50) {
        const query = ids
          .slice(at, at + 50)
          .map((id) => `span_ids=${id}`)
          .join("&");
        const { data } = await json<{ data: (Annotated & { span_id: string; name: string })[] }>(
          `${url}/v1/projects/default/span_annotations?limit=1000&${query}`,
        );
        for (const { span_id: id, name, metadata } of data)
          found.push(postedScore(byId.get(id) ?? "", name, metadata));
      }
      return found;
    },
    async pages() {
      const project = await projectId(url, "default");
      const { data: spans } = await json<{ data: Span[] }>(`${url}/v1/projects/default/spans?limit=1`);
      const trace = spans[0]?.context.trace_id ?? "";
      return [
        { url: `${url}/projects/${project}/spans`, text: "invoke_agent chaos" },
        { url: `${url}/projects/${project}/traces/${trace}`, text: "Annotations" },
      ];
    },
    own: {
      headers: { "x-project-name": ownProject },
      async spans() {
        const answer = await fetch(`${url}/v1/projects/${ownProject}/spans?limit=1000`);
        if (answer.status === 404) return countOwn([]); // no span has come yet
        const { data } = (await answer.json()) as { data: Span[] };
        return countOwn(data.map((span) => ({ ...span, parent: span.parent_id })));
      },
      async pages() {
        const project = await projectId(url, ownProject);
        const { data } = await json<{ data: Span[] }>(`${url}/v1/projects/${ownProject}/spans?limit=1000`);
        const trace = data.find(({ name }) => name.startsWith("chat "))?.context.trace_id ?? "";
        return [
          { url: `${url}/projects/${project}/spans`, text: "evaluate" },
          {
            url: `${url}/projects/${project}/traces/${trace}`,
            text: "chat gpt-4o-mini",
            open: "chat gpt-4o-mini",
          },
        ];
      },
    },
    close: () => endGroup(child),
  };
}

interface Annotated {
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Span {
  readonly context: { readonly span_id: string; readonly trace_id: string };
  readonly name: string;
  readonly parent_id?: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

async function projectId(url: string, wanted: string): Promise<string> {
  const { data } = await json<{ data: { id: string; name: string }[] }>(`${url}/v1/projects`);
  return data.find(({ name }) => name === wanted)?.id ?? "";
}

export async function mlflow(folder: string): Promise<ScoreServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const store = `sqlite:///${join(folder, "mlflow.db")}`;
  const args = ["-m", "mlflow", "server", "--host", "127.0.0.1", "--port", String(port)];
  const more = ["--backend-store-uri", store, "--workers", "1"];
  const env = { MLFLOW_DISABLE_TELEMETRY: "true" };
  const child = await startPython(pythonWith("mlflow"), [...args, ...more], env, folder, `${url}/health`);
  let lastTraceId = "";
  const { experiment_id: ownId } = await json<{ experiment_id: string }>(
    `${url}/api/2.0/mlflow/experiments/create`,
    { name: ownProject },
  );
  return {
    url,
    forward: { endpoint: url, headers: { "x-mlflow-experiment-id": "0" } },
    async scores(traceIds) {
      const found: PostedScore[] = [];
      for (const id of traceIds) {
        lastTraceId = id;
        const answer = await fetch(`${url}/api/3.0/mlflow/traces/tr-${id}`);
        if (!answer.ok) continue;
        const { trace } = (await answer.json()) as {
          trace: { trace_info: { assessments?: (Annotated & { assessment_name: string })[] } };
        };
        const { assessments = [] } = trace.trace_info;
        for (const { assessment_name: name, metadata } of assessments)
          found.push(postedScore(id, name, metadata));
      }
      return found;
    },
    pages() {
      const traces = `${url}/#/experiments/0/traces?startTimeLabel=LAST_24_HOURS`;
      return Promise.resolve([
        { url: traces, text: "tracejury.verdict" },
        { url: `${traces}&selectedEvaluationId=tr-${lastTraceId}`, text: "Assess", open: "Assess" },
      ]);
    },
    own: {
      headers: { "x-mlflow-experiment-id": ownId },
      async spans() {
        const { traces = [] } = await json<{ traces?: { trace_id: string }[] }>(
          `${url}/api/3.0/mlflow/traces/search`,
          {
            locations: [{ type: "MLFLOW_EXPERIMENT", mlflow_experiment: { experiment_id: ownId } }],
            max_results: 500,
          },
        );
        const spans: NamedSpan[] = [];
        for (const { trace_id: id } of traces) {
          const artifact = `${url}/ajax-api/2.0/mlflow/get-trace-artifact?request_id=${id}`;
          const found = await json<{ spans: (NamedSpan & { parent_span_id?: string | null })[] }>(artifact);
          spans.push(...found.spans.map((span) => ({ ...span, parent: span.parent_span_id })));
        }
        return countOwn(spans);
      },
      pages: () => Promise.resolve([]),
    },
    close: () => endGroup(child),
  };
}

/** Made of Langfuse's API description: Langfuse itself needs four more servers. */
export async function langfuse(): Promise<ScoreServer> {
  const sink = await startLangfuse();
  return {
    url: sink.url,
    forward: null,
    // A score of an observation is one of its trace.
    scores: () =>
      Promise.resolve(
        [...sink.scores.values()].map(({ target, name, metadata }) =>
          postedScore(target.replace(/\/.*/, ""), name, metadata),
        ),
      ),
    pages: () => Promise.resolve([]),
    own: null,
    close: () => sink.close(),
  };
}

/** What is answered to GET, or to POST where there is something to send. */
async function json<Body>(url: string, sent?: object): Promise<Body> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(
    url,
    sent === undefined ? {} : { method: "POST", headers, body: JSON.stringify(sent) },
  );
  if (!answer.ok) throw new Error(`${url}: HTTP ${answer.status}`);
  return (await answer.json()) as Body;
}
