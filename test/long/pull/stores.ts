import { spawn } from "node:child_process";
import { mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildClickhouseCollector } from "../../../bench/collector/build.ts";
import type { ExportRequest, Json } from "../../../bench/data/real/recordings.ts";
import { freePort } from "../../support/free-port.ts";
import { asProtobuf } from "../runs/records.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A store that runs. */
export interface RunningStore {
  /** The addresses that `pull` takes, after everything was sent. */
  sources(): readonly string[];
  send(request: ExportRequest): Promise<void>;
  /** All that it has as a Parquet file; undefined where it writes none. */
  parquet?(): Promise<Uint8Array>;
  stop(): void;
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Answers once the store can be used. */
  readonly health: string;
  /** Where nothing is at that address but a listener. */
  readonly isAnyAnswer?: boolean;
}

/**
 * Arize Phoenix from PyPI. It keeps no service, so that each service's traces are sent to a project of its name, and the address that is pulled
 * names it.
 */
export async function startPhoenix(program: string, folder: string): Promise<RunningStore> {
  const [port, grpc] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PHOENIX_WORKING_DIR: folder,
    PHOENIX_PORT: String(port),
    PHOENIX_GRPC_PORT: String(grpc),
    PHOENIX_HOST: "127.0.0.1",
  };
  const stop = await start({ program, args: ["serve"], env, folder, health: `${url}/healthz` });
  const send = senderTo(`${url}/v1/traces`, {});
  const services = new Set<string>();
  return {
    sources: () => [
      `phoenix:${url}/default`,
      ...[...services].map(encodeURIComponent).map((name) => `phoenix:${url}/${name}?service=${name}`),
    ],
    send: (request) => send(inProjects(request, services)),
    stop,
  };
}

/** MLflow from PyPI. */
export async function startMlflow(program: string, folder: string): Promise<RunningStore> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const database = `sqlite:///${join(folder, "mlflow.db")}`;
  const args = ["server", "--host", "127.0.0.1", "--port", String(port), "--workers", "1"];
  const stop = await start({
    program,
    args: [...args, "--backend-store-uri", database],
    folder,
    health: `${url}/health`,
  });
  return {
    sources: () => [`mlflow:${url}/Default`],
    send: senderTo(`${url}/v1/traces`, { "x-mlflow-experiment-id": "0" }),
    stop,
  };
}

/** Jaeger 2 with its store in memory. */
export async function startJaeger(program: string, folder: string): Promise<RunningStore> {
  const [query, queryGrpc, otlp] = [await freePort(), await freePort(), await freePort()];
  const config = {
    extensions: {
      jaeger_storage: { backends: { memory: { memory: { max_traces: 100_000 } } } },
      jaeger_query: {
        storage: { traces: "memory" },
        http: { endpoint: `127.0.0.1:${query}` },
        grpc: { endpoint: `127.0.0.1:${queryGrpc}` },
      },
    },
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlp}` } } } },
    exporters: { jaeger_storage_exporter: { trace_storage: "memory" } },
    service: {
      extensions: ["jaeger_storage", "jaeger_query"],
      telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["jaeger_storage_exporter"] } },
    },
  };
  const file = join(folder, "jaeger.json");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(config));
  const url = `http://127.0.0.1:${query}`;
  const stop = await start({ program, args: ["--config", file], folder, health: `${url}/api/v3/services` });
  return { sources: () => [`jaeger:${url}`], send: senderTo(`http://127.0.0.1:${otlp}/v1/traces`, {}), stop };
}

/** ClickHouse's engine from PyPI (`chdb`) behind a server of ours, in whose table a Collector writes with its ClickHouse exporter. */
export async function startClickhouse(python: string, folder: string): Promise<RunningStore> {
  const collector = buildClickhouseCollector();
  mkdirSync(folder, { recursive: true });
  const [port, otlp] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const args = [join(root, "test/long/pull/chdb_server.py"), String(port), folder];
  const stopEngine = await start({ program: python, args, folder, health: `${url}/?query=SELECT+1` });
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${otlp}` } } } },
    exporters: {
      clickhouse: {
        endpoint: url,
        compress: "none",
        async_insert: false,
        traces_table_name: "otel_traces",
        sending_queue: { enabled: false },
      },
    },
    service: {
      telemetry: { metrics: { level: "none" }, logs: { level: "warn" } },
      pipelines: { traces: { receivers: ["otlp"], exporters: ["clickhouse"] } },
    },
  };
  const file = join(folder, "collector.json");
  writeFileSync(file, JSON.stringify(config));
  const health = `http://127.0.0.1:${otlp}/`;
  const stopCollector = await start({
    program: collector,
    args: ["--config", file],
    folder,
    health,
    isAnyAnswer: true,
  });
  return {
    sources: () => [`clickhouse:${url}/default.otel_traces`],
    send: senderTo(`http://127.0.0.1:${otlp}/v1/traces`, {}),
    async parquet() {
      const query = encodeURIComponent("SELECT * FROM default.otel_traces FORMAT Parquet");
      return new Uint8Array(await (await fetch(`${url}/?query=${query}`)).arrayBuffer());
    },
    stop: () => {
      stopCollector();
      stopEngine();
    },
  };
}

/** S3 as moto of PyPI has it: each request is an object, as the Collector's S3 exporter writes them. */
export async function startMoto(program: string, folder: string): Promise<RunningStore> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ["-H", "127.0.0.1", "-p", new URL(url).port];
  const stop = await start({ program, args, folder, health: `${url}/moto-api/` });
  const put = async (path: string, body: string): Promise<void> => {
    const response = await fetch(`${url}/traces${path}`, { method: "PUT", body });
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  };
  await put("", "");
  let objects = 0;
  return {
    sources: () => [`s3://traces/prod?endpoint=${encodeURIComponent(url)}`],
    send: ({ document }) =>
      put(`/prod/hour=${objects % 24}/traces_${objects++}.json`, JSON.stringify(document)),
    stop,
  };
}

const projectKey = "openinference.project.name";

/** Names the service of each resource as Phoenix's project. */
function inProjects({ signal, document }: ExportRequest, services: Set<string>): ExportRequest {
  const resourceSpans = listOf(document["resourceSpans"]).map((one) => {
    const resource = isObject(one["resource"]) ? one["resource"] : {};
    const attributes = listOf(resource["attributes"]);
    const { value } = attributes.find(({ key }) => key === "service.name") ?? {};
    const service = isObject(value) ? value["stringValue"] : undefined;
    if (typeof service !== "string" || service === "") return one;
    services.add(service);
    const project = { key: projectKey, value: { stringValue: service } };
    const others = attributes.filter(({ key }) => key !== projectKey);
    return { ...one, resource: { ...resource, attributes: [...others, project] } };
  });
  return { signal, document: { ...document, resourceSpans } };
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws when the store does not answer within five minutes */
async function start({
  program,
  args,
  env = {},
  folder,
  health,
  isAnyAnswer = false,
}: Started): Promise<() => void> {
  mkdirSync(folder, { recursive: true });
  const log = join(folder, "output.txt");
  const output = openSync(log, "a");
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, output],
    detached: true,
  });
  let isStopped = false;
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null && !isStopped) process.kill(-child.pid, "SIGKILL");
    isStopped = true;
  };
  process.once("exit", stop);
  for (let second = 0; second < 300; second++) {
    const isReady = await fetch(health).then(
      ({ ok }) => ok || isAnyAnswer,
      () => false,
    );
    if (isReady) return stop;
    await sleep(1000);
  }
  stop();
  throw new Error(`${program} does not answer at ${health}: see ${log}`);
}

function senderTo(url: string, headers: Readonly<Record<string, string>>): RunningStore["send"] {
  return async (request) => {
    const { bytes } = asProtobuf(request);
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/x-protobuf", ...headers },
      body: Buffer.from(bytes),
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  };
}
