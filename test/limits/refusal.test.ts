import { expect, test } from "vitest";
import { FairAdmission } from "../../src/receive/admission/fair-admission.ts";
import { MemoryBudget } from "../../src/receive/admission/memory-budget.ts";
import { call, frame, PROTOBUF_TYPE, receive, send, session, statusIn } from "../receive/support.ts";

const MIB = 2 ** 20;

test("a full process says so before it reads, when to come back, and recovers", async () => {
  const held = { bytes: 0 };
  const budget = new MemoryBudget({
    limit: 300 * MIB,
    base: 100 * MIB,
    resident: () => 100 * MIB,
    collect: () => undefined,
    now: () => performance.now(),
    random: Math.random,
  });
  budget.watch(() => held.bytes);
  const { http, grpc, taken, outcomes } = await receive({
    admission: new FairAdmission(budget, () => performance.now()),
  });
  const body = Buffer.alloc(1000);
  const client = session(grpc);
  held.bytes = budget.hard;

  const refused = await send(http, "/v1/traces", PROTOBUF_TYPE, body);
  expect(refused.status).toBe(503);
  expect(["1", "2"]).toContain(refused.headers["retry-after"]);
  expect(statusIn(refused).message).toContain("send the request again later");
  const refusedCall = await call(client, frame(body));
  expect(refusedCall.status).toBe(14);
  expect(JSON.stringify(refusedCall.details?.details["RetryInfo"])).toMatch(/"seconds":"?[12]"?/);
  expect(taken).toEqual([]);
  expect(outcomes).toEqual(["unavailable", "unavailable"]);

  held.bytes = 0;
  expect((await send(http, "/v1/traces", PROTOBUF_TYPE, body)).status).toBe(200);
  expect((await call(client, frame(body))).status).toBe(0);
  expect(budget.reserved).toBe(0);
});
