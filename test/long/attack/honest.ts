import { setTimeout as sleep } from "node:timers/promises";
import { agentTrace } from "../../chaos/agent-trace.ts";
import { grpcSender, httpSender, type Sender } from "../../chaos/senders.ts";

const TOOLS = 1;
const PAUSE_MS = 100;

/** Clients that send one agent run after another, each until it is acknowledged, and measure how long that takes. */
export class HonestClients {
  /** Tools of each acknowledged trace, by its id. */
  readonly acknowledged = new Map<string, number>();
  /** Traces that were sent again, as exporters do after an error: a backend may get them more than once. */
  readonly resent = new Set<string>();
  readonly #senders: readonly Sender[];
  readonly #lanes: Promise<void>[];
  #stopped = false;
  #longestMs = 0;
  #refusals = 0;
  /** When each run under way was first sent. */
  readonly #begun = new Map<number, number>();

  constructor(httpPort: number, grpcPort: number) {
    this.#senders = [httpSender(httpPort), httpSender(httpPort), grpcSender(grpcPort)];
    this.#lanes = this.#senders.map((sender, lane) => this.#run(sender, lane));
  }

  /** The longest wait for an acknowledgement, in milliseconds, and refusals, since the last call; a run under way counts with its wait so far. */
  takeWaits(): { readonly longestMs: number; readonly refusals: number } {
    const now = performance.now();
    const waiting = [...this.#begun.values()].map((begun) => now - begun);
    const taken = { longestMs: Math.max(this.#longestMs, ...waiting), refusals: this.#refusals };
    this.#longestMs = 0;
    this.#refusals = 0;
    return taken;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lanes);
    for (const sender of this.#senders) sender.close();
  }

  async #run(sender: Sender, lane: number): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      const trace = agentTrace(0xa00 + lane, n, TOOLS);
      const spans = [...trace.tools, trace.root];
      const begun = performance.now();
      this.#begun.set(lane, begun);
      while (!(await sender.send(spans))) {
        this.#refusals++;
        this.resent.add(trace.traceId);
        await sleep(50);
      }
      this.#begun.delete(lane);
      this.#longestMs = Math.max(this.#longestMs, performance.now() - begun);
      this.acknowledged.set(trace.traceId, TOOLS);
      await sleep(PAUSE_MS);
    }
  }
}
