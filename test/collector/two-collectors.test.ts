import { expect, test } from "vitest";
import { agentTrace } from "../chaos/agent-trace.ts";
import { grpcSender, httpSender, type Sender } from "../chaos/senders.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { everyRun } from "../../src/pipeline/decisions.ts";
import { serve } from "../support/serve.ts";
import { chaosSpec } from "../support/spec-of.ts";

const TRACES = 60;

interface Seen {
  /** By trace id, what was decided about its run. */
  readonly decided: Record<string, string>;
  readonly counts: { received: number; open: number; pending: number; settled: Record<string, number> };
}

/** Sends the traces to a collector of its own, in the order given, and gives what it decided. */
async function decisionsOf(order: readonly number[], open: (ports: number[]) => Sender): Promise<Seen> {
  const live = await serve({
    specs: [chaosSpec()],
    grpc: "127.0.0.1:0",
    timeouts: { rootQuietMs: 100, rootOpenMs: 150 },
    sampling: { ...everyRun, rate: 0.4 },
    dataDir: temporaryFolder(),
  });
  const [http = 0, grpc = 0, admin] = [live.listening.http, live.listening.grpc, live.listening.admin].map(
    (address) => Number(address?.split(":").at(-1)),
  );
  const sender = open([http, grpc]);
  for (const n of order) {
    const { root, tools } = agentTrace(12, n, n % 3);
    expect(await sender.send([...tools, root])).toBe(true);
  }
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${admin}/api/v1/${path}`)).json();
  const counts = async (): Promise<Seen["counts"]> => (await get("decisions/traces?limit=1")).counts;
  await expect
    .poll(async () => Object.values((await counts()).settled).reduce((sum, one) => sum + one, 0))
    .toBe(TRACES);
  const { decisions } = await get(`decisions?limit=${2 * TRACES}`);
  const seen = await counts();
  sender.close();
  await live.stop(2_000);
  return {
    decided: Object.fromEntries(
      decisions.map((one: { trace_id: string; decision: string }) => [one.trace_id, one.decision]),
    ),
    counts: seen,
  };
}

test("two collectors decide alike about the same traces, and what they decided sums up to what they received", async () => {
  const order = Array.from({ length: TRACES }, (_, n) => n);
  const [one, other] = await Promise.all([
    decisionsOf(order, ([http = 0]) => httpSender(http)),
    decisionsOf(order.toReversed(), ([, grpc = 0]) => grpcSender(grpc)),
  ]);
  expect(Object.keys(one.decided)).toHaveLength(TRACES);
  expect(one.decided).toEqual(other.decided);
  expect(one.counts.settled).toMatchObject({
    evaluated: expect.any(Number),
    sampled_out: expect.any(Number),
  });
  for (const { counts } of [one, other])
    expect(counts).toMatchObject({ received: TRACES, open: 0, pending: 0 });
  expect(other.counts).toEqual(one.counts);
});
