import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "0.155.0";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = join(root, "bench/collector");
const folder = join(root, "dist/collector");

export interface Built {
  readonly collector: string;
  readonly sender: string;
}

/**
 * Builds the OpenTelemetry Collector and the load sender with the Go tool chain, from the module proxy that is set in the environment.
 * What is built already is kept. Takes some minutes the first time. Throws when there is no Go, or when a step fails.
 */
export function buildCollector(): Built {
  mkdirSync(folder, { recursive: true });
  return { collector: collector("otelcol", "manifest.yaml", "source"), sender: sender() };
}

/** The same for a Collector that writes to Kafka. Gives the path of its program. */
export function buildKafkaCollector(): string {
  mkdirSync(folder, { recursive: true });
  return collector("otelcol-kafka", "kafka-manifest.yaml", "kafka-source");
}

/** The same for a Collector that writes to ClickHouse. Gives the path of its program. */
export function buildClickhouseCollector(): string {
  mkdirSync(folder, { recursive: true });
  return collector("otelcol-clickhouse", "clickhouse-manifest.yaml", "clickhouse-source");
}

/** @param output the folder that the manifest names */
function collector(name: string, manifest: string, output: string): string {
  const binary = join(folder, name);
  if (existsSync(binary)) return binary;
  const builder = join(folder, "bin/builder");
  if (!existsSync(builder)) {
    go(folder, ["install", `go.opentelemetry.io/collector/cmd/builder@v${VERSION}`], {
      GOBIN: join(folder, "bin"),
    });
  }
  copyFileSync(join(sources, manifest), join(folder, manifest));
  // The builder ends with a `go mod tidy` that stops where a module is missing that only tests of others import: the next line forgives that.
  spawnSync(builder, ["--config", manifest, "--skip-compilation"], { cwd: folder });
  const source = join(folder, output);
  go(source, ["mod", "tidy", "-e"], {}, true);
  go(source, ["build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "."]);
  return binary;
}

function sender(): string {
  const binary = join(folder, "sender");
  const source = join(sources, "sender");
  const newest = Math.max(...readdirSync(source).map((name) => statSync(join(source, name)).mtimeMs));
  if (existsSync(binary) && statSync(binary).mtimeMs > newest) return binary;
  go(source, ["build", "-o", binary, "."]);
  return binary;
}

function go(cwd: string, args: readonly string[], environment: object = {}, quiet = false): void {
  const options = { cwd, env: { ...process.env, ...environment } };
  const { status, error } = spawnSync("go", args, {
    ...options,
    stdio: ["ignore", "inherit", quiet ? "ignore" : "inherit"],
  });
  if (error !== undefined) throw new Error(`go ${args.join(" ")}: ${error.message}; is Go installed?`);
  if (status !== 0) throw new Error(`go ${args.join(" ")} ended with ${status}`);
}
