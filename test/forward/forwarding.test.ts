import { gzipSync, deflateSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { acceptAndForward } from "../../src/export/forward/accept-and-forward.ts";
import { Forwarder, type ForwarderOptions } from "../../src/export/forward/forwarder.ts";
import type { ForwardDestination } from "../../src/export/forward/settings.ts";
import { intakeBatches } from "../../src/receive/intake/intake-batches.ts";
import type { Accept } from "../../src/receive/ports.ts";
import { seeded } from "../fuzz/seeded.ts";
import { TracesData } from "../otlp/oracle.ts";
import {
  ACCEPTED,
  call,
  frame,
  JSON_TYPE,
  PROTOBUF_TYPE,
  receive,
  send,
  session,
} from "../receive/support.ts";
import { eventLoopTurns, until } from "../support/eventually.ts";
import { grpcBackend, type GrpcReply, httpBackend } from "./backends.ts";
import { forwardDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A request with fields that no version of the protocol knows, which must go on like the rest. */
const span = Buffer.concat([
  Buffer.from([10, 16, ...Array<number>(16).fill(7), 18, 8, ...Array<number>(8).fill(3), 42, 2, 0x68, 0x69]),
  Buffer.from([0xfa, 0x7f, 3, 1, 2, 3]),
]);
const inner = Buffer.concat([Buffer.from([18, span.length]), span]);
const scoped = Buffer.concat([Buffer.from([18, inner.length]), inner]);
const body = Buffer.concat([Buffer.from([10, scoped.length]), scoped, Buffer.from([0xfa, 0x7f, 1, 9])]);
const json = JSON.stringify({
  resourceSpans: [
    {
      scopeSpans: [
        { spans: [{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", name: "hi" }] },
      ],
    },
  ],
});

interface Log {
  readonly dropped: string[];
  readonly rejected: [number, string][];
  readonly failing: string[];
}

async function forwarder(
  destinations: readonly (Partial<ForwardDestination> & { endpoint: string })[],
  options: Partial<ForwarderOptions> = {},
): Promise<{ forwarder: Forwarder; log: Log; dir: string }> {
  const dir = temporaryFolder();
  const log: Log = { dropped: [], rejected: [], failing: [] };
  const opened = await Forwarder.open({
    destinations: destinations.map((one) => ({ ...forwardDefaults, ...one })),
    dir,
    durability: "flush",
    instance: "this-one",
    version: "1",
    listeners: [],
    memoryBytes: 1 << 20,
    now: () => performance.now(),
    random: () => 0,
    events: {
      failing: (_, error) => log.failing.push(error),
      working: () => undefined,
      dropped: (_, _signal, reason) => log.dropped.push(reason),
      rejected: (_, items, message) => log.rejected.push([items, message]),
      damaged: () => log.dropped.push("damaged"),
      storeFailed: () => log.dropped.push("store failed"),
    },
    ...options,
  });
  onTestFinished(() => opened.close(0));
  return { forwarder: opened, log, dir };
}

const takeEverything: Accept = () => ACCEPTED;

async function receiving(through: Forwarder, accept: Accept = takeEverything, loops: string[] = []) {
  return receive({ accept: acceptAndForward(through, accept, () => loops.push("loop")) });
}

describe("A17 over HTTP the backend gets the bytes that came", () => {
  test.each([
    ["protobuf", "/v1/traces", PROTOBUF_TYPE, body],
    ["gzipped protobuf", "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "gzip" }, gzipSync(body)],
    [
      "deflated protobuf",
      "/v1/traces",
      { ...PROTOBUF_TYPE, "content-encoding": "deflate" },
      deflateSync(body),
    ],
    ["JSON", "/v1/traces", JSON_TYPE, Buffer.from(json)],
    ["gzipped JSON", "/v1/traces", { ...JSON_TYPE, "content-encoding": "gzip" }, gzipSync(json)],
    ["log records", "/v1/logs", PROTOBUF_TYPE, body],
    ["metrics", "/v1/metrics", PROTOBUF_TYPE, Buffer.from([10, 0])],
  ])("%s", async (_, path, headers: Record<string, string>, sent) => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }]);
    const { http } = await receiving(through);

    expect((await send(http, path, headers, sent)).status).toBe(200);
    await backend.came(1);
    expect(backend.got[0]?.body).toEqual(sent);
    expect(backend.got[0]?.path).toBe(path);
    expect(backend.got[0]?.headers).toMatchObject(headers);
  });

  test("also when they came over gRPC", async () => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }]);
    const { grpc } = await receiving(through);
    const client = session(grpc);
    const zipped = gzipSync(body);

    expect((await call(client, frame(body))).status).toBe(0);
    expect((await call(client, frame(zipped, true), { headers: { "grpc-encoding": "gzip" } })).status).toBe(
      0,
    );
    await backend.came(2);
    const byCoding = new Map(backend.got.map((one) => [one.headers["content-encoding"], one]));
    expect(byCoding.get(undefined)?.body).toEqual(body);
    expect(byCoding.get("gzip")?.body).toEqual(zipped);
    expect(byCoding.get("gzip")?.headers["content-type"]).toBe("application/x-protobuf");
  });
});

describe("over gRPC", () => {
  const overGrpc = async () => {
    const backend = await grpcBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint, protocol: "grpc" }]);
    return { backend, ...(await receiving(through)) };
  };

  test("protobuf goes on as it came, plain and gzipped", async () => {
    const { backend, http, grpc } = await overGrpc();
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    await backend.came(1);
    await call(session(grpc), frame(gzipSync(body), true), { headers: { "grpc-encoding": "gzip" } });
    await backend.came(2);

    expect(backend.got[0]?.body).toEqual(frame(body));
    expect(backend.got[0]?.path).toBe("/opentelemetry.proto.collector.trace.v1.TraceService/Export");
    expect(backend.got[1]?.body).toEqual(frame(gzipSync(body), true));
    expect(backend.got[1]?.headers["grpc-encoding"]).toBe("gzip");
  });

  test("what gRPC has no coding for goes inflated", async () => {
    const { backend, http } = await overGrpc();
    await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "content-encoding": "deflate" }, deflateSync(body));
    await backend.came(1);
    expect(backend.got[0]?.body).toEqual(frame(body));
  });

  test("JSON is written as protobuf", async () => {
    const { backend, http } = await overGrpc();
    await send(http, "/v1/traces", JSON_TYPE, json);
    await backend.came(1);
    const message = TracesData.toObject(TracesData.decode(backend.got[0]?.body.subarray(5) ?? body), {
      bytes: String,
    });
    expect(message).toEqual({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: Buffer.from("0af7651916cd43dd8448eb211c80319c", "hex").toString("base64"),
                  spanId: Buffer.from("b7ad6b7169203331", "hex").toString("base64"),
                  name: "hi",
                },
              ],
            },
          ],
        },
      ],
    });
  });
});

/** `google.rpc.Status` with a RetryInfo, as a trailer. */
function retryInfo(nanoseconds: number): string {
  const duration = Buffer.from([16, nanoseconds]);
  const info = Buffer.concat([Buffer.from([10, duration.length]), duration]);
  const url = Buffer.from("type.googleapis.com/google.rpc.RetryInfo");
  const any = Buffer.concat([Buffer.from([10, url.length]), url, Buffer.from([18, info.length]), info]);
  return Buffer.concat([Buffer.from([8, 8, 26, any.length]), any]).toString("base64");
}

describe("what the backend answers", () => {
  /** A backend that refuses the first request, and the forwarder to it, which has got one. */
  const refusing = async (first: number | GrpcReply) => {
    const backend =
      typeof first === "number"
        ? await httpBackend((response, at) => void response.writeHead(at === 0 ? first : 200).end("no"))
        : await grpcBackend((at) => (at === 0 ? first : { status: 0 }));
    const protocol = typeof first === "number" ? "http" : "grpc";
    const { forwarder: through, log } = await forwarder([{ endpoint: backend.endpoint, protocol }]);
    const { http } = await receiving(through);
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    return { got: backend.got, queue: through.backends[0]?.backend, log };
  };

  const final = [400, 401, 404, 413, 500, 302, ...[3, 8, 12, 13, 16].map((status) => ({ status }))];
  test.each(final)("C43 %j is final: counted and not tried again", async (first) => {
    const { got, queue, log } = await refusing(first);
    await until(() => log.dropped.length > 0);

    expect(log.dropped).toEqual(["refused"]);
    expect(queue).toMatchObject({
      pending: 0,
      counts: { accepted: 1, delivered: 0, dropped: { refused: 1 }, failures: 1 },
    });
    expect(got).toHaveLength(1);
  });

  const withRetryInfo = { status: 8, trailers: { "grpc-status-details-bin": retryInfo(1) } };
  test.each([429, 502, 503, 504, { status: 14 }, withRetryInfo])(
    "C45 %j is tried again, with the same bytes",
    async (first) => {
      const { got, queue } = await refusing(first);
      await until(() => queue?.counts.delivered === 1);

      const sent = typeof first === "number" ? body : frame(body);
      expect(got.map((one) => one.body)).toEqual([sent, sent]);
      expect(queue).toMatchObject({ pending: 0, counts: { accepted: 1, failures: 1 } });
    },
  );

  test("C44 the next try waits as long as Retry-After asks for", async () => {
    const backend = await httpBackend(
      (response, at) => void response.writeHead(at === 0 ? 503 : 200, { "retry-after": "7" }).end(),
    );
    let nowMs = 0;
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }], { now: () => nowMs });
    const { http } = await receiving(through);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    await until(() => through.backends[0]?.backend.counts.failures === 1);

    nowMs = 6_990;
    await vi.advanceTimersByTimeAsync(6_990);
    await eventLoopTurns();
    expect(backend.got).toHaveLength(1);
    nowMs = 7_010;
    await vi.advanceTimersByTimeAsync(20);
    await until(() => through.backends[0]?.backend.counts.delivered === 1);
    expect(backend.got).toHaveLength(2);
  });

  test.each([
    ["nothing", Buffer.alloc(0), 0],
    ["garbage", Buffer.from("<html>hello</html>"), 0],
    ["a partial success", Buffer.from([10, 7, 8, 2, 18, 3, 0x6e, 0x6f, 0x21]), 2],
    ["no end", null, 0],
  ])("C43 C46 200 with %s: accepted, never sent again", async (_, answer, rejected) => {
    const backend = await httpBackend((response) => {
      response.writeHead(200, { "content-type": "application/x-protobuf" });
      if (answer !== null) response.end(answer);
      else {
        const pour = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(1 << 16)));
        };
        response.on("drain", pour);
        pour();
      }
    });
    const { forwarder: through, log } = await forwarder([{ endpoint: backend.endpoint }]);
    const { http } = await receiving(through);
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    await until(() => through.backends[0]?.backend.counts.delivered === 1);

    expect(through.backends[0]?.backend.counts).toMatchObject({
      delivered: 1,
      rejectedItems: rejected,
      failures: 0,
    });
    expect(log.rejected.map(([items]) => items)).toEqual(rejected > 0 ? [rejected] : []);
    expect(backend.got).toHaveLength(1);
  });
});

const offerMany = async (through: Forwarder, requests: number): Promise<void> => {
  const { backend } = through.backends[0] ?? {};
  for (let n = 0; n < requests; n++) {
    const sent = Buffer.from(`request ${n}`);
    await backend?.offer({ signal: "traces", encoding: "protobuf", coding: null, headers: {}, body: sent });
  }
};

test.each(["HTTP", "gRPC"])(
  "a backend that refuses some requests: over %s, two of five with a wait of 0: all of 80 are delivered, each once",
  async (protocol) => {
    const random = seeded(5);
    const refuse = (): boolean => random() < 0.4;
    const noWait = { status: 14, trailers: { "grpc-status-details-bin": retryInfo(0) } };
    const delivered: boolean[] = [];
    const backend =
      protocol === "HTTP"
        ? await httpBackend((response) => {
            const refuses = refuse();
            delivered.push(!refuses);
            response.writeHead(refuses ? 503 : 200, { "retry-after": "0" }).end();
          })
        : await grpcBackend(() => {
            const refuses = refuse();
            delivered.push(!refuses);
            return refuses ? noWait : { status: 0 };
          });
    const destination = {
      endpoint: backend.endpoint,
      protocol: protocol === "HTTP" ? "http" : "grpc",
    } as const;
    const { forwarder: through, log } = await forwarder([destination], { random: Math.random });
    await offerMany(through, 80);
    await until(() => through.backends[0]?.backend.counts.delivered === 80);

    expect(through.backends[0]?.backend).toMatchObject({
      pending: 0,
      counts: { accepted: 80, delivered: 80 },
    });
    const taken = backend.got
      .filter((_, at) => delivered[at] === true)
      .map((one) => one.body.toString("hex"));
    expect([taken.length, new Set(taken).size]).toEqual([80, 80]);
    expect(log.dropped).toEqual([]);
  },
);

describe("a backend that is down", () => {
  test("C39 does not keep telemetry out, nor another backend from it; what waits is sent by the next process", async () => {
    const dead = await httpBackend();
    await dead.stop();
    const alive = await httpBackend();
    const {
      forwarder: through,
      dir,
      log,
    } = await forwarder([{ endpoint: dead.endpoint }, { endpoint: alive.endpoint }]);
    const { http } = await receiving(through);
    for (let i = 0; i < 5; i++)
      expect((await send(http, "/v1/traces", PROTOBUF_TYPE, body)).status).toBe(200);
    await until(() => through.backends[1]?.backend.pending === 0);
    expect(log.failing).toHaveLength(1);
    expect(through.backends[0]?.backend.pending).toBe(5);
    await through.close(0);

    const back = await httpBackend(undefined, Number(new URL(dead.endpoint).port));
    const { forwarder: next } = await forwarder([{ endpoint: dead.endpoint }, { endpoint: alive.endpoint }], {
      dir,
    });
    await back.came(5);
    await next.close(1_000);
    expect(back.got.map((one) => one.body)).toEqual(Array.from({ length: 5 }, () => body));
    expect(next.backends[0]?.backend.counts).toMatchObject({ recovered: 5, delivered: 5 });
    expect(next.backends[1]?.backend.counts).toMatchObject({ recovered: 0 });
  });

  test("C37 fills its queue; then senders are asked to come again, and nothing taken is lost", async () => {
    const dead = await httpBackend();
    await dead.stop();
    const { forwarder: through } = await forwarder([{ endpoint: dead.endpoint, queueBytes: 4_000 }], {
      durability: "memory",
    });
    const { http } = await receiving(through);
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++) statuses.push((await send(http, "/v1/traces", PROTOBUF_TYPE, body)).status);

    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    const { backend } = through.backends[0] ?? {};
    expect(backend?.counts.accepted).toBe(statuses.filter((status) => status === 200).length);
    expect(backend?.pending).toBe(backend?.counts.accepted);
    // A request that cannot be forwarded is not judged either, because its sender sends it again.
    expect(through.refusal()).toMatchObject({ kind: "unavailable" });
  });
});

describe("what goes with a request", () => {
  test("headers of the configuration win over those that are passed on", async () => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([
      {
        endpoint: backend.endpoint,
        passHeaders: ["authorization", "x-scope-orgid"],
        headers: { authorization: "ours" },
      },
    ]);
    const { http } = await receiving(through);
    await send(
      http,
      "/v1/traces",
      { ...PROTOBUF_TYPE, authorization: "theirs", "x-scope-orgid": "team", cookie: "secret" },
      body,
    );
    await backend.came(1);
    expect(backend.got[0]?.headers).toMatchObject({ authorization: "ours", "x-scope-orgid": "team" });
    expect(backend.got[0]?.headers.cookie).toBeUndefined();
  });

  test("a request that comes back is taken, and goes no further", async () => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }]);
    const loops: string[] = [];
    const { http } = await receiving(through, takeEverything, loops);
    await send(http, "/v1/traces", PROTOBUF_TYPE, body);
    await backend.came(1);
    const hops = String(backend.got[0]?.headers["tracejury-hops"]);
    expect(hops).toBe("this-one");

    expect((await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "tracejury-hops": hops }, body)).status).toBe(
      200,
    );
    expect(loops).toEqual(["loop"]);
    await send(http, "/v1/traces", { ...PROTOBUF_TYPE, "tracejury-hops": "another-one" }, body);
    await backend.came(2);
    expect(backend.got[1]?.headers["tracejury-hops"]).toBe("another-one, this-one");
  });

  test("a backend that is our own listener is refused", async () => {
    await expect(
      forwarder([{ endpoint: "http://localhost:4318" }], { listeners: ["127.0.0.1:4318"] }),
    ).rejects.toThrow("forward[0].endpoint");
  });

  test("a backend that is named twice is refused", async () => {
    const endpoint = "http://backend:4318";
    await expect(forwarder([{ endpoint }, { endpoint }])).rejects.toThrow(
      'forward[1].endpoint: "http://backend:4318" is the backend of forward[0]',
    );
  });
});

describe("what cannot be judged", () => {
  const judging = intakeBatches(
    () => undefined,
    () => undefined,
  );

  test("spans with a bad id go on with the rest, and are not called rejected", async () => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }]);
    const { http } = await receiving(through, judging);
    const bad = json.replace("b7ad6b7169203331", "b7");
    const answer = await send(http, "/v1/traces", JSON_TYPE, bad);
    await backend.came(1);

    expect(answer.status).toBe(200);
    expect(answer.body.toString()).not.toContain("rejectedSpans");
    expect(answer.body.toString()).toContain("was forwarded");
    expect(backend.got[0]?.body.toString()).toBe(bad);
  });

  test("a body that is not OTLP goes nowhere", async () => {
    const backend = await httpBackend();
    const { forwarder: through } = await forwarder([{ endpoint: backend.endpoint }]);
    const { http } = await receiving(through, judging);
    expect((await send(http, "/v1/traces", JSON_TYPE, "{")).status).toBe(400);
    expect(through.backends[0]?.backend.counts.accepted).toBe(0);
  });
});
