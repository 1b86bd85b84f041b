import { type Agent, request } from "node:http";
import type { ClientHttp2Session } from "node:http2";

/** A server's answer: `200`, `503` or, for example, `grpc 14`, and the seconds after which to retry, if given. */
export interface Answer {
  readonly status: string;
  readonly retryAfterS: number | null;
}

const PROTOBUF = { "content-type": "application/x-protobuf" };

/** Posts a body to `/v1/traces`. Rejects if the connection breaks. */
export function postHttp(
  agent: Agent | undefined,
  port: number,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const all = { ...PROTOBUF, "content-length": body.length, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, host: "127.0.0.1", port, path: "/v1/traces", method: "POST", headers: all },
      ({ statusCode, headers: { "retry-after": wait } }) =>
        resolve({ status: String(statusCode), retryAfterS: wait === undefined ? null : Number(wait) }),
    );
    sent.on("response", (response) => response.on("error", reject).resume());
    sent.on("error", reject).end(body);
  });
}

/** Calls the trace service over an open session. Rejects if the response has no gRPC status. */
export function postGrpc(session: ClientHttp2Session, body: Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
      "content-type": "application/grpc",
      te: "trailers",
    });
    const head: Record<string, unknown> = {};
    stream.on("response", (headers) => void Object.assign(head, headers));
    stream.on("trailers", (trailers) => void Object.assign(head, trailers));
    stream.on("error", reject).on("close", () => {
      const { "grpc-status": status, "grpc-status-details-bin": details } = head;
      if (typeof status !== "string") return reject(new Error("no status"));
      resolve({
        status: status === "0" ? "200" : `grpc ${status}`,
        retryAfterS: details === undefined ? null : 1,
      });
    });
    const prefix = Buffer.alloc(5);
    prefix.writeUInt32BE(body.length, 1);
    stream.resume().write(prefix);
    stream.end(body);
  });
}
