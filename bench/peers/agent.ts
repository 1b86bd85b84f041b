import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { again, type Recording } from "./recordings.ts";

/**
 * An agent that replays recordings. For each HTTP request it sends the spans of a recording to the OTLP receiver, in the trace of the
 * request, and then returns the recorded answer. `/NAME` selects a recording; `/` takes the recordings with the same query in turn.
 */
export class RecordedAgent {
  readonly #recordings: readonly Recording[];
  readonly #server: Server;
  /** Address of the OTLP receiver. */
  readonly #sink: string;
  #asked = 0;

  private constructor(recordings: readonly Recording[], sinkPort: number) {
    this.#recordings = recordings;
    this.#sink = `http://127.0.0.1:${sinkPort}`;
    this.#server = createServer((request, response) => {
      const answered = (code: number, body: object): void => {
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
      };
      this.#answer(request).then(
        (answer) => answered(200, { answer }),
        (error: unknown) => answered(500, { error: String(error) }),
      );
    });
  }

  static async start(recordings: readonly Recording[], sinkPort: number): Promise<RecordedAgent> {
    const agent = new RecordedAgent(recordings, sinkPort);
    await new Promise<void>((resolve) => agent.#server.listen(0, "127.0.0.1", resolve));
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { query } = JSON.parse(Buffer.concat(pieces).toString("utf8")) as { query: string };
    const [, traceId = "", parentId = ""] = String(request.headers.traceparent).split("-");
    if (traceId.length !== 32 || parentId.length !== 16)
      throw new Error("the request has no traceparent header");
    const copy = ++this.#asked;
    const recording = this.#recordingOf(decodeURIComponent(request.url ?? "/").slice(1), query, copy);
    for (const line of again(recording, copy, { traceId, parentId }).trim().split("\n"))
      await this.#send(line);
    return recording.answer;
  }

  #recordingOf(name: string, query: string, copy: number): Recording {
    const fitting = this.#recordings.filter((one) => (name === "" ? one.query === query : one.name === name));
    const recording = fitting[copy % fitting.length];
    if (recording === undefined) throw new Error(`no recording matches ${name || query}`);
    return recording;
  }

  async #send(line: string): Promise<void> {
    const path = line.startsWith('{"resourceLogs"') ? "logs" : "traces";
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${this.#sink}/v1/${path}`, { method: "POST", headers, body: line });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the receiver answered with HTTP status ${response.status}`);
  }
}
