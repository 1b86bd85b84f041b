import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentTrace } from "../chaos/agent-trace.ts";
import { grpcSender, httpSender, type Sender } from "../chaos/senders.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const TRACES = 60;

interface Seen {
  /** By trace id, what was decided about its run. */
  readonly decided: Record<string, string>;
  readonly counts: { received: number; open: number; pending: number; settled: Record<string, number> };
}

/** Sends the traces to a process of its own, in the order given, and gives what it decided. */
async function decisionsOf(order: readonly number[], open: (ports: number[]) => Sender): Promise<Seen> {
  const folder = temporaryFolder();
  const [http, grpc, admin] = [await freePort(), await freePort(), await freePort()];
  const spec = join(folder, "spec.yaml");
  writeFileSync(spec, 'version: 1\nagent: chaos\nqueries: [{ query: "*", path: { max_tool_calls: 9 } }]\n');
  const config = join(folder, "config.yaml");
  writeFileSync(
    config,
    JSON.stringify({
      data_dir: folder,
      receive: { http: `127.0.0.1:${http}`, grpc: `127.0.0.1:${grpc}` },
      admin: `127.0.0.1:${admin}`,
      specs: [spec],
      assemble: { root_quiet: "100ms", root_open: "150ms" },
      sampling: { rate: 0.4 },
    }),
  );
  const serve = await ServeProcess.start({ config });
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
  await serve.end("SIGTERM");
  return {
    decided: Object.fromEntries(
      decisions.map((one: { trace_id: string; decision: string }) => [one.trace_id, one.decision]),
    ),
    counts: seen,
  };
}

test("two processes decide alike about the same traces, and what they decided sums up to what they received", async () => {
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
