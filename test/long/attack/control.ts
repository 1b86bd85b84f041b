import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const SCRIPT =
  'const s=require("node:http").createServer((q,a)=>a.end("ok")).listen(0,"127.0.0.1",()=>console.log(s.address().port))';

/** A server that does nothing, in a process of its own: how long it takes to answer is what the machine costs, not the collector. */
export class Control {
  readonly #child: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  #longestMs = 0;
  #begunMs: number | null = null;
  #stopped = false;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
    void this.#run();
  }

  static async start(): Promise<Control> {
    const child = spawn(process.execPath, ["-e", SCRIPT], { stdio: ["ignore", "pipe", "inherit"] });
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    return new Control(child, Number(port.toString()));
  }

  /** The longest wait for an answer since the last call. */
  takeLongestMs(): number {
    const waiting = this.#begunMs === null ? 0 : performance.now() - this.#begunMs;
    const longestMs = Math.max(this.#longestMs, waiting);
    this.#longestMs = 0;
    return longestMs;
  }

  stop(): void {
    this.#stopped = true;
    this.#agent.destroy();
    this.#child.kill();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const begunMs = performance.now();
      this.#begunMs = begunMs;
      await this.#ask();
      this.#begunMs = null;
      this.#longestMs = Math.max(this.#longestMs, performance.now() - begunMs);
      await sleep(50);
    }
  }

  #ask(): Promise<void> {
    return new Promise((resolve) => {
      const sent = get({ host: "127.0.0.1", port: this.#port, agent: this.#agent }, (answer) => {
        answer.resume();
        answer.on("close", () => resolve());
      });
      sent.on("error", () => resolve());
    });
  }
}
