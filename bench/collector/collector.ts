import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { listens, type ServerProcess, startServer } from "../harness/server-process.ts";
import type { Peer, Ports } from "../../test/long/servers/tracejury.ts";

const VERSION = "0.155.0";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = join(root, "dist/collector");

/**
 * Builds the OpenTelemetry Collector with Go and the module proxy of the environment, unless it is already built. The first build takes
 * some minutes. Returns the path of the program.
 * @throws Error if Go is not installed or a step fails
 */
function buildCollector(): string {
  mkdirSync(folder, { recursive: true });
  const binary = join(folder, "otelcol");
  if (existsSync(binary)) return binary;
  const builder = join(folder, "bin/builder");
  if (!existsSync(builder)) {
    const module = `go.opentelemetry.io/collector/cmd/builder@v${VERSION}`;
    go(folder, ["install", module], { GOBIN: join(folder, "bin") });
  }
  copyFileSync(join(root, "bench/collector/manifest.yaml"), join(folder, "manifest.yaml"));
  // The builder's own `go mod tidy` fails if a module that only tests of dependencies import is missing. `go mod tidy -e` below ignores
  // that.
  spawnSync(builder, ["--config", "manifest.yaml", "--skip-compilation"], { cwd: folder });
  const source = join(folder, "source");
  go(source, ["mod", "tidy", "-e"], {});
  go(source, ["build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "."], {});
  return binary;
}

function go(cwd: string, args: readonly string[], environment: object): void {
  const { status, error } = spawnSync("go", args, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", args[0] === "mod" ? "ignore" : "inherit"],
  });
  if (error !== undefined)
    throw new Error(`go ${args.join(" ")}: ${error.message}. Install Go, or add it to PATH.`);
  if (status !== 0) throw new Error(`go ${args.join(" ")} failed with exit code ${status}`);
}

/** The Collector's processing after its OTLP receiver. */
export interface Pipeline {
  /** Exporters by name; absent: only `nop`. */
  readonly exporters?: Readonly<Record<string, object>>;
  readonly processors?: Readonly<Record<string, object>>;
  /** A queue on the disk; exporters refer to it as `file_storage`. */
  readonly storage?: { readonly fsync: boolean };
}

/** A Collector process that can be killed and restarted. */
export class Collector implements Peer {
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #command: readonly string[];
  #process: ServerProcess | undefined;

  constructor(home: string, ports: Ports, pipeline: Pipeline, under: readonly string[] = []) {
    const { exporters = { nop: {} }, processors = {}, storage } = pipeline;
    const extensions =
      storage === undefined ? {} : { file_storage: { directory: join(home, "storage"), ...storage } };
    mkdirSync(join(home, "storage"), { recursive: true });
    const protocols = {
      http: { endpoint: `127.0.0.1:${ports.http}` },
      grpc: { endpoint: `127.0.0.1:${ports.grpc}`, max_recv_msg_size_mib: 20 },
    };
    const config = {
      extensions,
      receivers: { otlp: { protocols } },
      processors,
      exporters,
      service: {
        extensions: Object.keys(extensions),
        // The Collector exports no metrics, which lowers its CPU.
        telemetry: { metrics: { level: "none" }, logs: { level: "error" } },
        pipelines: {
          traces: {
            receivers: ["otlp"],
            processors: Object.keys(processors),
            exporters: Object.keys(exporters),
          },
        },
      },
    };
    const file = join(home, "collector.json");
    writeFileSync(file, JSON.stringify(config)); // JSON is YAML
    this.#folder = home;
    this.#ports = ports;
    this.#command = [...under, buildCollector(), "--config", file];
  }

  async start(): Promise<void> {
    const starting = {
      folder: this.#folder,
      env: { GOMAXPROCS: "1" },
      isReady: () => listens(this.#ports.http),
    };
    this.#process = await startServer(this.#command, starting);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal);
  }

  get pid(): number {
    return this.#process?.pid ?? -1;
  }
}
