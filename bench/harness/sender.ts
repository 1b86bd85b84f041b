import { Agent, request } from "node:http";
import { connect } from "node:http2";
import type { Bodies } from "../data/bodies.ts";
import { markPlaces, renumberMarks } from "../data/real/marks.ts";
import { renumber, traceIdPlaces } from "../data/trace-ids.ts";

/** Sends bodies in turn, several at once; trace ids, and the marks of copied recordings, are new each time round, so that no run comes twice. */
export class Sender {
  readonly #bodies: readonly Uint8Array[];
  readonly #places: readonly number[][];
  readonly #marks: readonly number[][];
  readonly #zip: ((body: Uint8Array) => Uint8Array) | null;
  #sent = 0;

  /** @param zip over HTTP: makes gzip of each body */
  constructor({ protobuf }: Bodies, zip: ((body: Uint8Array) => Uint8Array) | null = null) {
    this.#zip = zip;
    this.#bodies = protobuf.map((body) => body.slice());
    this.#places = this.#bodies.map(traceIdPlaces);
    this.#marks = this.#bodies.map(markPlaces);
  }

  get spansARequest(): number {
    return this.#places.reduce((sum, { length }) => sum + length, 0) / this.#bodies.length;
  }

  /** Over OTLP/HTTP; gives when all are answered how many milliseconds each took. */
  async http(port: number, count: number, connections: number): Promise<number[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const took: number[] = [];
    await this.#inLanes(count, connections, async (body) => {
      const sent = this.#zip?.(body) ?? body;
      const begun = performance.now();
      await postHttp(agent, port, sent, this.#zip !== null);
      took.push(performance.now() - begun);
    });
    agent.destroy();
    return took;
  }

  /** Over OTLP/gRPC, one connection. */
  async grpc(port: number, count: number, lanes: number): Promise<void> {
    const session = connect(`http://127.0.0.1:${port}`);
    const send = (body: Uint8Array): Promise<void> =>
      new Promise((resolve, reject) => {
        const stream = session.request({
          ":method": "POST",
          ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
          "content-type": "application/grpc",
          te: "trailers",
        });
        const head = Buffer.alloc(5);
        head.writeUInt32BE(body.length, 1);
        stream.on("error", reject).on("end", resolve).resume();
        stream.write(head);
        stream.end(body);
      });
    await this.#inLanes(count, lanes, send);
    session.close();
  }

  async #inLanes(count: number, lanes: number, send: (body: Uint8Array) => Promise<void>): Promise<void> {
    let left = count;
    const lane = async (): Promise<void> => {
      while (left-- > 0) await send(this.#next());
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }

  #next(): Uint8Array {
    const at = this.#sent % this.#bodies.length;
    const body = this.#bodies[at] ?? new Uint8Array();
    const round = Math.floor(this.#sent++ / this.#bodies.length);
    renumber(body, this.#places[at] ?? [], round + 1);
    renumberMarks(body, this.#marks[at] ?? [], round + 1);
    return body;
  }
}

function postHttp(agent: Agent, port: number, body: Uint8Array, isZipped: boolean): Promise<void> {
  const headers = {
    "content-type": "application/x-protobuf",
    "content-length": body.length,
    ...(isZipped ? { "content-encoding": "gzip" } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: "127.0.0.1", port, path: "/v1/traces", method: "POST", headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
        response.on("end", resolve).resume();
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
