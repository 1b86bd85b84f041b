import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServeProcess } from "../../chaos/serve-process.ts";
import { freePort } from "../../support/free-port.ts";
import { readSamples } from "../../../src/interfaces/api/endpoints/system.ts";
import { spanAccount } from "../../support/span-account.ts";

const SPEC = `version: 1
agent: chaos
queries:
  - query: "*"
    correctness: { not_in_answer: [nothing] }
    path: { expected_tools: [look_up] }
`;

interface Worker {
  readonly http: number;
  readonly admin: number;
  readonly config: string;
  readonly file: string;
  process: ServeProcess | undefined;
}

/** What one process counted until its end. */
export interface Counted {
  readonly name: string;
  /** Spans that came less those that ended or are open. */
  readonly spans: number;
  /** Records for the store that were taken or found, less those that were sent, given up or wait. */
  readonly records: number;
  readonly dropped: number;
  readonly split: number;
}

/** Processes that share a database, each with a journal of its own. */
export class Workers {
  readonly folder = mkdtempSync(join(tmpdir(), "tracejury-gateway-"));
  readonly #url: string;
  readonly #all = new Map<string, Worker>();
  readonly crashed: string[] = [];

  constructor(url: string) {
    this.#url = url;
    writeFileSync(join(this.folder, "spec.yaml"), SPEC);
  }

  /** Starts it, or starts it again with what it had. */
  async start(name: string): Promise<void> {
    const worker = this.#all.get(name) ?? (await this.#make(name));
    this.#all.set(name, worker);
    worker.process = await ServeProcess.start({ config: worker.config });
  }

  /** SIGKILL, or SIGTERM for a stop that leaves nothing behind but what is open. */
  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    const worker = this.#all.get(name);
    if (worker?.process === undefined) return;
    if (worker.process.hasCrashed) this.crashed.push(`${name}: ${worker.process.log}`);
    await worker.process.end(signal);
    worker.process = undefined;
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#all.keys()].map((name) => this.end(name, "SIGTERM")));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  port(name: string): number {
    return this.#all.get(name)?.http ?? 0;
  }

  log(): string {
    return [...this.#all].map(([name, worker]) => `--- ${name}\n${worker.process?.log ?? ""}`).join("\n");
  }

  /** The names of those that run. */
  get running(): string[] {
    return [...this.#all].filter(([, { process }]) => process !== undefined).map(([name]) => name);
  }

  async counted(name: string): Promise<Counted> {
    const text = await (await this.#ask(name, "/metrics")).text();
    const samples = readSamples(text);
    const sum = (metric: string, of: Record<string, string> = { exporter: "postgres" }): number =>
      samples
        .filter(
          (one) =>
            one.name === metric && Object.entries(of).every(([key, value]) => one.labels[key] === value),
        )
        .reduce((total, { value }) => total + (value ?? Number.NaN), 0);
    const dropped = sum("tracejury_exporter_dropped_total");
    const came = sum("tracejury_exporter_taken_total") + sum("tracejury_exporter_recovered_total");
    const left = sum("tracejury_exporter_sent_total") + dropped + sum("tracejury_exporter_queue_records");
    const split = sum("tracejury_traces_split_total", {});
    return { name, spans: spanAccount(text).rest, records: came - left, dropped, split };
  }

  /** What the API of one says about all. */
  async sums(name: string): Promise<string> {
    return (await this.#ask(name, "/api/v1/queries")).text();
  }

  /** Every line that any of them has written. */
  lines(): Line[] {
    return [...this.#all.values()].flatMap(({ file }) =>
      read(file)
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line),
    );
  }

  #ask(name: string, path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.#all.get(name)?.admin}${path}`);
  }

  async #make(name: string): Promise<Worker> {
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    const [http, admin] = [await freePort(), await freePort()];
    const config = join(folder, "config.yaml");
    const file = join(folder, "verdicts.jsonl");
    const settings = {
      data_dir: folder,
      receive: { http: `127.0.0.1:${http}`, grpc: "off" },
      admin: `127.0.0.1:${admin}`,
      specs: [join(this.folder, "spec.yaml")],
      assemble: { root_quiet: "1500ms", root_open: "4s", root_cap: "30s", idle: "10s", late_window: "3s" },
      store: { mode: "postgres", url: this.#url },
      export: { file },
    };
    writeFileSync(config, JSON.stringify(settings)); // JSON is YAML
    return { http, admin, config, file, process: undefined };
  }
}

/** A verdict as its line says it. */
export interface Line {
  readonly verdict_id: string;
  readonly trace_id: string;
  readonly revision: number;
  readonly outcome: string;
  readonly close_reason: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
