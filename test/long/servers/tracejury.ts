import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentTrace, agentTrace, type PlainSpan } from "../../chaos/agent-trace.ts";
import { grpcSender, httpSender, type Sender, sendUntilTaken } from "../../chaos/senders.ts";
import { ServeProcess } from "../../chaos/serve-process.ts";
import { freePort } from "../../support/free-port.ts";

export interface Ports {
  readonly http: number;
  readonly grpc: number;
}

/** A server that can be killed and restarted. */
export interface Peer {
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Fields of a line in the file of verdicts. */
export interface VerdictLine {
  readonly verdict_id: string;
  readonly revision: number;
  readonly trace_id: string;
  readonly outcome: string;
  readonly complete: boolean;
  readonly metrics: { readonly tool_calls: number | null };
}

export interface Setup {
  /** Settings in addition to, or instead of, the settings of each process. */
  readonly settings?: object;
  /** Text of the spec; default: a spec that all runs of `agentTrace` pass. */
  readonly spec?: string;
  /** Command prefix of the process. */
  readonly under?: readonly string[];
}

const passing = `version: 1
agent: chaos
queries:
  - query: "*"
    correctness: { not_in_answer: [nothing] }
    path: { expected_tools: [look_up], max_tool_calls: 100 }
`;

export async function freePorts(): Promise<Ports> {
  return { http: await freePort(), grpc: await freePort() };
}

/** A `tracejury serve` with its own folder and ports. */
export class Tracejury implements Peer {
  readonly ports: Ports & { readonly admin: number };
  readonly verdicts: string;
  readonly #config: string;
  readonly #under: readonly string[];
  #process: ServeProcess | undefined;

  private constructor(folder: string, ports: Tracejury["ports"], setup: Setup) {
    this.ports = ports;
    this.verdicts = join(folder, "verdicts.jsonl");
    this.#under = setup.under ?? [];
    this.#config = join(folder, "config.yaml");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "spec.yaml"), setup.spec ?? passing);
    const settings = {
      data_dir: folder,
      receive: { http: `127.0.0.1:${ports.http}`, grpc: `127.0.0.1:${ports.grpc}` },
      admin: `127.0.0.1:${ports.admin}`,
      specs: [join(folder, "spec.yaml")],
      assemble: { root_quiet: "500ms", root_open: "1s", late_window: "2m" },
      export: { file: this.verdicts, revisions: "all" },
      store: { mode: "memory" },
      judge: { mode: "off" },
      telemetry: { log_format: "json" },
      ...setup.settings,
    };
    writeFileSync(this.#config, JSON.stringify(settings)); // JSON is YAML
  }

  static async in(folder: string, setup: Setup = {}): Promise<Tracejury> {
    return new Tracejury(folder, { ...(await freePorts()), admin: await freePort() }, setup);
  }

  async start(): Promise<void> {
    this.#process = await ServeProcess.start({ config: this.#config, under: this.#under });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.end(signal);
  }

  get pid(): number {
    return this.#process?.pid ?? -1;
  }

  /** The end of its output. */
  get log(): string {
    return this.#process?.log ?? "";
  }

  get hasCrashed(): boolean {
    return this.#process?.hasCrashed ?? false;
  }

  get(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.ports.admin}${path}`);
  }

  /** The sum of a metric's series whose labels contain this text. */
  async counter(name: string, label = ""): Promise<number> {
    const text = await (await this.get("/metrics")).text();
    const lines = text.split("\n").filter((line) => /^\w+/.exec(line)?.[0] === name && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
  }

  /** The verdicts in its file; an incomplete last line is ignored. */
  lines(): VerdictLine[] {
    return textOf(this.verdicts)
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as VerdictLine);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** Processes by name, each with its own subfolder. */
export class Fleet {
  readonly folder = mkdtempSync(join(tmpdir(), "tracejury-fleet-"));
  readonly #setup: Setup;
  readonly #members = new Map<string, Tracejury>();
  readonly #running = new Set<string>();
  readonly crashed: string[] = [];

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** Starts the process, or restarts it with its data. */
  async start(name: string): Promise<void> {
    const known = this.#members.get(name) ?? (await Tracejury.in(join(this.folder, name), this.#setup));
    this.#members.set(name, known);
    await known.start();
    this.#running.add(name);
  }

  async end(name: string, signal: NodeJS.Signals): Promise<void> {
    if (!this.#running.delete(name)) return;
    const member = this.member(name);
    if (member.hasCrashed) this.crashed.push(name);
    await member.end(signal);
  }

  async endAll(): Promise<void> {
    await Promise.all(this.running.map((name) => this.end(name, "SIGTERM")));
  }

  /** Deletes the files of all processes; they must have ended. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  member(name: string): Tracejury {
    const found = this.#members.get(name);
    if (found === undefined) throw new Error(`${name} was never started`);
    return found;
  }

  get running(): string[] {
    return [...this.#running];
  }

  get log(): string {
    return [...this.#members].map(([name, { log }]) => `--- ${name}\n${log}`).join("\n");
  }

  /** All lines that the processes have written. */
  lines(): VerdictLine[] {
    return [...this.#members.values()].flatMap((member) => member.lines());
  }
}

/** Running senders. */
export interface Load {
  /** Number of tool calls of each trace whose spans are all acknowledged. */
  readonly acknowledged: ReadonlyMap<string, number>;
  /** Traces with a request that was sent again; a backend may get such a request twice. */
  readonly resent: ReadonlySet<string>;
  /**
   * The longest wait for an acknowledgement in milliseconds, and the number of refusals, since the previous call. Open requests count with
   * their wait so far.
   */
  takeWaits(): { readonly longestMs: number; readonly refusals: number };
  /** Stops the senders when all requests are acknowledged. */
  stop(): Promise<void>;
}

/**
 * Sends traces to the ports over both protocols until it is stopped; repeats each request until it is acknowledged.
 * @param nowMs clock that measures waits
 */
export function load(
  { http, grpc }: Ports,
  padding: number,
  series = randomSeries(),
  nowMs = (): number => performance.now(),
): Load {
  const acknowledged = new Map<string, number>();
  const resent = new Set<string>();
  const begun = new Set<{ readonly atMs: number }>();
  const over = new AbortController();
  let [traces, longestMs, refusals] = [0, 0, 0];
  const senders = [httpSender(http), grpcSender(grpc)];
  const deliver = async (
    sender: Sender,
    { traceId }: AgentTrace,
    spans: readonly PlainSpan[],
  ): Promise<void> => {
    const sent = { atMs: nowMs() };
    begun.add(sent);
    const refused = (await sendUntilTaken(sender, spans, () => false)) ?? 0;
    begun.delete(sent);
    longestMs = Math.max(longestMs, nowMs() - sent.atMs);
    refusals += refused;
    if (refused > 0) resent.add(traceId);
  };
  const lanes = senders.flatMap((sender) =>
    [1, 2].map(async () => {
      while (!over.signal.aborted) {
        const trace = agentTrace(series, ++traces, 1 + Math.floor(Math.random() * 5), padding);
        await deliver(sender, trace, trace.tools);
        await deliver(sender, trace, [trace.root]);
        acknowledged.set(trace.traceId, trace.tools.length);
        await sleep(20);
      }
    }),
  );
  return {
    acknowledged,
    resent,
    takeWaits() {
      const now = nowMs();
      const waiting = [...begun].map(({ atMs }) => now - atMs);
      const taken = { longestMs: Math.max(longestMs, ...waiting), refusals };
      [longestMs, refusals] = [0, 0];
      return taken;
    },
    async stop() {
      over.abort();
      await Promise.all(lanes);
      for (const sender of senders) sender.close();
    },
  };
}

/** A start for ids that no other part of a script uses. */
export function randomSeries(): number {
  return 1 + Math.floor(Math.random() * 2 ** 40);
}

/** Waits until `holds` returns true, for at most `seconds` of the clock; returns whether it did. */
export async function within(
  seconds: number,
  holds: () => boolean | Promise<boolean>,
  nowMs = (): number => performance.now(),
): Promise<boolean> {
  for (const end = nowMs() + seconds * 1000; nowMs() < end; await sleep(250)) if (await holds()) return true;
  return holds();
}

export async function at(seconds: number, what: string, act: () => unknown): Promise<void> {
  await sleep(seconds * 1000);
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${what}\n`);
  await act();
}
