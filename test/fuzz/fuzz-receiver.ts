import { request } from "node:http";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { createReceiver } from "../../src/receive/receiver.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import { afterLongestWait } from "../support/eventually.ts";
import { Finding } from "./finding.ts";
import type { GrpcAttempt } from "./mutate-grpc.ts";
import type { HttpAttempt } from "./mutate-coded.ts";

const httpAnswers: readonly number[] = [200, 400, 413, 415, 429, 503];
/** All but UNKNOWN, which says that somebody threw. */
const grpcAnswers: readonly number[] = [0, 1, 3, 4, 8, 12, 13, 14];

/** A receiver on free ports that is sent to; whatever it answers, it has to answer, and with a status that it knows. */
export interface FuzzedReceiver {
  post(attempt: HttpAttempt): Promise<void>;
  call(attempt: GrpcAttempt): Promise<void>;
  close(): Promise<void>;
}

export async function startFuzzedReceiver(): Promise<FuzzedReceiver> {
  const errors: object[] = [];
  const receiver = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    maxBody: 2 ** 22,
    log: { warn: () => undefined, error: (details) => errors.push(details) },
    accept: intakeBatches(
      () => undefined,
      () => undefined,
    ),
  });
  const { http, grpc } = receiver.listening;
  let session: ClientHttp2Session | undefined;
  const noErrors = (): void => {
    const [error] = errors.splice(0);
    if (error !== undefined) throw new Finding(`an error was logged: ${JSON.stringify(error)}`);
  };
  const open = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed)
      session = connect(`http://${grpc}`).on("error", () => undefined);
    return session;
  };
  return {
    async post(attempt) {
      const status = await post(`http://${http}/v1/traces`, attempt);
      if (!httpAnswers.includes(status)) throw new Finding(`answered ${status}`);
      noErrors();
    },
    async call(attempt) {
      const status = await call(open(), attempt).catch((error: unknown) => {
        if (!isEnded(error)) throw error;
        return call(open(), attempt);
      });
      if (status !== "cancelled" && status !== "no gRPC" && !grpcAnswers.includes(status)) {
        throw new Finding(`answered ${status}`);
      }
      noErrors();
    },
    async close() {
      session?.destroy();
      await receiver.close(0);
    },
  };
}

/** Node ends the session of a client that cancels calls fast for long, its defence against floods of resets; a client connects again. */
function isEnded(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_HTTP2_SESSION_ERROR";
}

function post(url: string, { headers, body }: HttpAttempt): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    });
    const inTime = afterLongestWait(() => sent.destroy(new Finding("no answer in time")));
    sent.on("close", inTime).on("error", reject);
    sent.end(body);
  });
}

function call(
  session: ClientHttp2Session,
  { headers, pieces, isCancelled }: GrpcAttempt,
): Promise<number | "cancelled" | "no gRPC"> {
  return new Promise((resolve, reject) => {
    const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    const stream = session.request({ ":method": "POST", ":path": path, te: "trailers", ...headers });
    let status = -1;
    let http = 0;
    const take = (answer: Record<string, unknown>): void => {
      http = Number(answer[":status"] ?? http);
      if (answer["grpc-status"] !== undefined) status = Number(answer["grpc-status"]);
    };
    const inTime = afterLongestWait(() => {
      reject(new Finding("no answer in time"));
      stream.close(constants.NGHTTP2_CANCEL);
    });
    stream.on("response", take).on("trailers", take);
    stream.on("error", (error) => (isCancelled ? resolve("cancelled") : reject(error)));
    stream.on("close", () => {
      inTime();
      if (isCancelled && status === -1) resolve("cancelled");
      else resolve(http === 415 ? "no gRPC" : status);
    });
    stream.resume();
    for (const piece of pieces) stream.write(piece);
    // Not before all is written: Node's client loses track of a call that is closed while its first frames wait, and of memory with it.
    if (isCancelled) stream.write(Buffer.alloc(0), () => stream.close(constants.NGHTTP2_CANCEL));
    else stream.end();
  });
}
