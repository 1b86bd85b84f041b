import { Agent } from "node:http";
import { connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Bodies } from "../data/bodies.ts";
import { markPlaces, renumberMarks } from "../data/real/marks.ts";
import { renumber, traceIdPlaces } from "../data/trace-ids.ts";
import { type Answer, postGrpc, postHttp } from "./post.ts";

export type Form = "protobuf" | "json" | "gzip" | "grpc";

export interface Load {
  readonly count: number;
  readonly form?: Form;
  /** Concurrent requests. */
  readonly lanes?: number;
  /** Requests per second; absent: as fast as the server answers. */
  readonly rate?: number;
}

/**
 * Sends the bodies in turn, over several connections. Each time round, all trace ids and marks get a new number, so that no run is sent
 * twice.
 */
export class Sender {
  readonly #bodies: readonly Uint8Array[];
  readonly #places: readonly number[][];
  readonly #marks: readonly number[][];
  readonly #form: Form;
  readonly spansARequest: number;
  #sent = 0;

  constructor({ protobuf, json, spans }: Bodies, form: Form = "protobuf") {
    this.#form = form;
    const isJson = form === "json";
    this.#bodies = isJson ? json.map((body) => Buffer.from(body)) : protobuf.map((body) => body.slice());
    this.#places = this.#bodies.map(isJson ? jsonTraceIdPlaces : traceIdPlaces);
    this.#marks = this.#bodies.map(markPlaces);
    this.spansARequest = spans / protobuf.length;
  }

  /**
   * Sends `count` requests; returns the sorted response times in milliseconds. With a rate, a time starts when the request is due. Rejects
   * if a request is refused.
   */
  async send({ http, grpc }: { http: number; grpc: number }, load: Load): Promise<number[]> {
    const { count, lanes = 4, rate = 0 } = load;
    const agent = new Agent({ keepAlive: true, maxSockets: lanes });
    const session = this.#form === "grpc" ? connect(`http://127.0.0.1:${grpc}`) : null;
    const begun = performance.now();
    const took: number[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < count) {
        const due = rate === 0 ? performance.now() : begun + (next++ / rate) * 1000;
        if (rate === 0) next++;
        const body = this.#next();
        if (due > performance.now()) await sleep(due - performance.now());
        const { status } = await (session === null ? this.#http(agent, http, body) : postGrpc(session, body));
        if (status !== "200") throw new Error(`answered ${status}`);
        took.push(performance.now() - due);
      }
    };
    try {
      await Promise.all(Array.from({ length: lanes }, lane));
    } finally {
      agent.destroy();
      session?.destroy();
    }
    return took.sort((a, b) => a - b);
  }

  #http(agent: Agent, port: number, body: Uint8Array): Promise<Answer> {
    if (this.#form === "gzip") return postHttp(agent, port, gzipSync(body), { "content-encoding": "gzip" });
    return postHttp(agent, port, body, this.#form === "json" ? { "content-type": "application/json" } : {});
  }

  #next(): Uint8Array {
    const at = this.#sent % this.#bodies.length;
    const body = this.#bodies[at] ?? new Uint8Array();
    const round = Math.floor(this.#sent++ / this.#bodies.length) + 1;
    if (this.#form === "json") renumberJson(body, this.#places[at] ?? [], round);
    else renumber(body, this.#places[at] ?? [], round);
    renumberMarks(body, this.#marks[at] ?? [], round);
    return body.slice();
  }
}

/** In a string value, the quotes would be escaped, so only real keys match. */
function jsonTraceIdPlaces(body: Uint8Array): number[] {
  const text = Buffer.from(body).toString("latin1");
  return Array.from(text.matchAll(/"traceId":"/g), ({ index }) => index + '"traceId":"'.length);
}

function renumberJson(body: Uint8Array, places: readonly number[], round: number): void {
  const digits = Buffer.from((round & 0xffffff).toString(16).padStart(6, "0"));
  for (const place of places) body.set(digits, place + 26);
}
