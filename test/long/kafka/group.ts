import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServeProcess } from "../../chaos/serve-process.ts";

const SPEC = `version: 1
agent: chaos
queries:
  - query: "*"
    correctness: { not_in_answer: [nothing] }
    path: { expected_tools: [look_up] }
`;

/** A verdict as its line says it. */
export interface Line {
  readonly verdict_id: string;
  readonly revision: number;
  readonly trace_id: string;
  readonly outcome: string;
  readonly complete: boolean;
  readonly metrics: { readonly tool_calls: number | null };
}

export interface GroupOptions {
  readonly broker: string;
  readonly traces: string;
  readonly logs?: string;
  readonly deadLetter: string;
  readonly group: string;
  readonly encoding?: "otlp_proto" | "otlp_json";
  /** Topic that verdicts are written to; none when absent. */
  readonly verdicts?: string;
}

/** Processes of one consumer group, each with its own files. */
export class Group {
  readonly folder = mkdtempSync(join(tmpdir(), "tracejury-kafka-"));
  readonly #options: GroupOptions;
  readonly #running = new Map<string, ServeProcess>();
  readonly #all: { readonly name: string; readonly process: ServeProcess }[] = [];
  readonly #files = new Map<string, string>();

  constructor(options: GroupOptions) {
    this.#options = options;
    writeFileSync(join(this.folder, "spec.yaml"), SPEC);
  }

  async start(name: string): Promise<void> {
    const {
      broker,
      traces,
      logs = "off",
      deadLetter,
      group,
      encoding = "otlp_proto",
      verdicts,
    } = this.#options;
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "verdicts.jsonl");
    const config = join(folder, "config.yaml");
    const settings = {
      data_dir: folder,
      receive: { http: "off", grpc: "off" },
      admin: "off",
      specs: [join(this.folder, "spec.yaml")],
      assemble: { root_quiet: "1s", root_open: "8s", root_cap: "30s", idle: "60s", late_window: "2s" },
      receivers: {
        kafka: {
          brokers: [broker],
          topics: { traces, logs },
          group,
          encoding,
          dead_letter: deadLetter,
          session_timeout: "6s",
        },
      },
      store: { mode: "memory" },
      export: {
        file,
        ...(verdicts === undefined ? {} : { kafka: { brokers: [broker], topic: verdicts } }),
      },
    };
    writeFileSync(config, JSON.stringify(settings)); // JSON is YAML
    this.#files.set(name, file);
    const started = await ServeProcess.start({ config });
    this.#running.set(name, started);
    this.#all.push({ name, process: started });
  }

  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    await this.#running.get(name)?.end(signal);
    this.#running.delete(name);
  }

  /** SIGSTOP or SIGCONT. */
  signal(name: string, signal: NodeJS.Signals): void {
    const { pid } = this.#running.get(name) ?? {};
    if (pid !== undefined) process.kill(pid, signal);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.end(name, "SIGTERM")));
  }

  /** Deletes the files of all, once they have ended. */
  delete(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  get crashed(): string[] {
    return this.#all.filter(({ process: { hasCrashed } }) => hasCrashed).map(({ name }) => name);
  }

  logOf(name: string): string {
    return this.#all.findLast((one) => one.name === name)?.process.log ?? "";
  }

  /** Every line that any process has written. */
  lines(): Line[] {
    return [...this.#files.values()].flatMap((file) =>
      read(file)
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line),
    );
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
