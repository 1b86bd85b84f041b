import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agentTrace } from "../../chaos/agent-trace.ts";
import { grpcSender, httpSender, sendUntilTaken } from "../../chaos/senders.ts";
import { ServeProcess } from "../../chaos/serve-process.ts";
import { freePort } from "../../support/free-port.ts";

export type Protocol = "http" | "grpc";

export interface Ports {
  readonly http: number;
  readonly grpc: number;
}

/** Something that listens, and can be killed and started again. */
export interface Peer {
  readonly name: string;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function freePorts(): Promise<Ports> {
  return { http: await freePort(), grpc: await freePort() };
}

const spec = `version: 1
agent: chaos
queries: [{ query: "*", path: { max_tool_calls: 100 } }]
`;

export class Tracejury implements Peer {
  readonly name = "tracejury";
  readonly verdicts: string;
  readonly #config: string;
  readonly admin: number;
  #process: ServeProcess | undefined;

  constructor(folder: string, ports: Ports, admin: number, more: object = {}) {
    this.admin = admin;
    this.verdicts = join(folder, "verdicts.jsonl");
    this.#config = join(folder, "config.yaml");
    writeFileSync(join(folder, "spec.yaml"), spec);
    const config = {
      data_dir: folder,
      receive: { http: `127.0.0.1:${ports.http}`, grpc: `127.0.0.1:${ports.grpc}` },
      admin: `127.0.0.1:${admin}`,
      specs: [join(folder, "spec.yaml")],
      assemble: { root_quiet: "500ms", root_open: "1s", late_window: "2m" },
      export: { file: this.verdicts, revisions: "all" },
      store: { mode: "memory" },
      telemetry: { log_format: "json" },
      ...more,
    };
    writeFileSync(this.#config, JSON.stringify(config));
  }

  async start(): Promise<void> {
    this.#process = await ServeProcess.start({ config: this.#config });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal);
  }

  get pid(): number {
    return this.#process?.pid ?? -1;
  }

  /** The last that it said. */
  get log(): string {
    return this.#process?.log ?? "";
  }

  /** The sum of a metric's series whose labels have this in them. */
  async counter(name: string, label = ""): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.admin}/metrics`)).text();
    const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  }
}

/** Sends traces to the ports over both protocols until told to stop; gives the tools of each acknowledged trace. */
export function load({ http, grpc }: Ports, padding: number): { stop(): Promise<Map<string, number>> } {
  const acknowledged = new Map<string, number>();
  const series = 1 + Math.floor(Math.random() * 2 ** 40);
  const over = new AbortController();
  let traces = 0;
  const senders = [httpSender(http), grpcSender(grpc)];
  const never = (): boolean => false;
  const lanes = senders.flatMap((sender) =>
    [1, 2].map(async () => {
      while (!over.signal.aborted) {
        const tools = 1 + Math.floor(Math.random() * 5);
        const trace = agentTrace(series, ++traces, tools, padding);
        await sendUntilTaken(sender, trace.tools, never);
        await sendUntilTaken(sender, [trace.root], never);
        acknowledged.set(trace.traceId, tools);
        await sleep(20);
      }
    }),
  );
  return {
    async stop() {
      over.abort();
      await Promise.all(lanes);
      for (const sender of senders) sender.close();
      return acknowledged;
    },
  };
}

export async function within(seconds: number, holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < seconds && !holds(); waited += 0.25) await sleep(250);
}
