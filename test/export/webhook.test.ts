import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { VerdictExporter } from "../../src/export/exporter.ts";
import type { ExportSettings, WebhookDestination } from "../../src/export/settings.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { until } from "../support/eventually.ts";
import { checkOf, judgedRun, judgeRecordOf, verdictOf } from "../support/verdict-of.ts";
import { startWebhookSink, type WebhookSink } from "../support/webhook-sink.ts";
import { webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { exporterInFolder } from "./exporter-in-folder.ts";

let sink: WebhookSink;
let folder: string;
let exporter: VerdictExporter | undefined;

beforeEach(async () => {
  sink = await startWebhookSink();
  folder = temporaryFolder();
});
afterEach(async () => {
  await exporter?.close(0);
  await sink.close();
});

async function open(
  webhook: Partial<WebhookDestination> = {},
  settings: Partial<ExportSettings> = {},
): Promise<VerdictExporter> {
  exporter = await exporterInFolder({
    folder,
    settings: {
      webhook: [{ ...webhookDefaults, url: `${sink.url}/hook`, maxDelayMs: 5, ...webhook }],
      ...settings,
    },
    allowedNetworks: ["127.0.0.1"],
    now: () => 1_700_000_000_500,
  });
  return exporter;
}

function verdict(id: string, outcome: Outcome = "fail", text = "said Sunday <!channel>"): Verdict {
  const check = checkOf({ check: "expected_in_answer", layer: "correctness", outcome, message: text });
  return { ...verdictOf([check]), verdictId: id };
}

test("verdicts arrive in batches, as JSON that names its format", async () => {
  const webhooks = await open();
  for (let n = 0; n < 250; n++) webhooks.publish(verdict(`v-${n}`));
  await webhooks.flush();
  expect(sink.verdictIds()).toEqual(Array.from({ length: 250 }, (_, n) => `v-${n}`));
  expect(sink.accepted.length).toBe(3);
  expect(sink.accepted[0]?.headers).toMatchObject({
    "content-type": "application/json",
    "user-agent": "tracejury/1.2.3",
  });
  expect(JSON.parse(sink.accepted[0]?.body ?? "")).toMatchObject({
    format_version: 1,
    tool: { name: "tracejury", version: "1.2.3" },
    verdicts: expect.arrayContaining([expect.objectContaining({ outcome: "fail" })]),
  });
});

test("requests are signed as Standard Webhooks are; an attempt with the same body has the same id", async () => {
  const secret = `whsec_${Buffer.from("a key of some length").toString("base64")}`;
  const webhooks = await open({ secret });
  sink.status = 503;
  webhooks.publish(verdict("v-1"));
  await webhooks.flush();
  sink.status = 200;
  await webhooks.flush();
  const [first, second] = sink.requests;
  const { headers, body } = second ?? { headers: {}, body: "" };
  const expected = createHmac("sha256", "a key of some length")
    .update(`${String(headers["webhook-id"])}.1700000000.${body}`)
    .digest("base64");
  expect(headers["webhook-timestamp"]).toBe("1700000000");
  expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
  expect(first?.headers["webhook-id"]).toBe(headers["webhook-id"]);
});

test("a webhook contains texts of the run and the judge only with content", async () => {
  const judge = judgeRecordOf({ score: 2, rationale: "the answer said Sunday" });
  const about = (id: string): Verdict => ({
    ...verdictOf([checkOf({ check: "llm_judge", layer: "correctness", outcome: "fail", judge })]),
    run: judgedRun({ query: "Is it open on Sunday?" }),
    verdictId: id,
  });
  const webhooks = await open();
  webhooks.publish(about("v-1"));
  await webhooks.flush();
  expect(sink.accepted[0]?.body).not.toContain("Sunday");
  expect(sink.accepted[0]?.body).toContain("llm_judge: failed");
  await webhooks.close(60_000);
  const open2 = await open({}, { content: true });
  open2.publish(about("v-2"));
  await open2.flush();
  expect(sink.accepted[1]?.body).toContain("the answer said Sunday");
});

test("Slack gets a valid message: few blocks, short sections, no mentioned user", async () => {
  const webhooks = await open({ format: "slack", outcomes: ["fail", "error"] }, { content: true });
  for (let n = 0; n < 90; n++) {
    const one = verdict(`v-${n}`, n % 3 === 0 ? "pass" : "fail", `<!channel> & ${"x".repeat(5000)}`);
    webhooks.publish({ ...one, queryId: "<@U123> `code`" });
  }
  await webhooks.flush();
  const bodies = sink.accepted.map(
    ({ body }) => JSON.parse(body) as { text: string; blocks: { type: string; text: { text: string } }[] },
  );
  expect(bodies.map(({ text }) => text)).toEqual(["Tracejury: 40 fail", "Tracejury: 20 fail"]);
  for (const { blocks } of bodies) {
    expect(blocks.length).toBeLessThanOrEqual(50);
    for (const { text } of blocks) {
      expect(text.text.length).toBeLessThanOrEqual(3000);
      expect(text.text).not.toMatch(/<|&(?!amp;|lt;|gt;)/);
    }
  }
});

describe("on: change", () => {
  const change = (id: string, worse = true) => ({
    change_id: id,
    spec: "shop",
    query_id: "<@U123>",
    agents: ["shop"],
    worse,
    text: "pass rate fell from 95 % to 50 %. At the same time: tool <!channel> is called more often",
  });
  const all = (): { changes: { change_id: string }[] }[] =>
    sink.accepted.map(({ body }) => JSON.parse(body) as { changes: { change_id: string }[] });

  test("gets changes and no verdict; the others get verdicts and no change", async () => {
    const webhooks = await open({ on: "change" });
    webhooks.publish(verdict("v-1"));
    let isDone = false;
    webhooks.publishChange(change("c-1"), () => (isDone = true));
    webhooks.publishChange(change("c-2"), () => undefined);
    await webhooks.flush();
    expect(all()).toMatchObject([
      {
        format_version: 1,
        tool: { name: "tracejury" },
        changes: [{ change_id: "c-1" }, { change_id: "c-2" }],
      },
    ]);
    expect(isDone).toBe(true);
    await webhooks.close(60_000);
    const verdictsOnly = await open();
    verdictsOnly.publishChange(change("c-3"), () => undefined);
    await verdictsOnly.flush();
    expect(sink.accepted).toHaveLength(1);
  });

  test("Slack gets a section for each change, which mentions nobody", async () => {
    const webhooks = await open({ on: "change", format: "slack" });
    webhooks.publishChange(change("c-1"), () => undefined);
    webhooks.publishChange(change("c-2", false), () => undefined);
    await webhooks.flush();
    const { text, blocks } = JSON.parse(sink.accepted[0]?.body ?? "") as {
      text: string;
      blocks: { text: { text: string } }[];
    };
    expect(text).toBe("Tracejury: 2 changes, 1 for the worse, 1 for the better");
    expect(blocks).toHaveLength(3);
    expect(blocks[1]?.text.text).toContain("pass rate fell from 95 % to 50 %");
    expect(JSON.stringify(blocks)).not.toMatch(/<|`/);
  });
});

describe("a webhook that is down, slow, or refuses", () => {
  test.each([429, 500, 502, 503, 408])(
    "status %i is tried again, and what was missed arrives once",
    async (status) => {
      const webhooks = await open();
      sink.status = status;
      let done = 0;
      for (let n = 0; n < 20; n++) webhooks.publish(verdict(`v-${n}`), { done: () => done++ });
      await until(() => done === 20); // kept on the disk: nobody has to wait for it
      expect(sink.accepted).toEqual([]);
      sink.status = 200;
      await webhooks.flush();
      expect(sink.verdictIds()).toEqual(Array.from({ length: 20 }, (_, n) => `v-${n}`));
    },
  );

  test("one that never answers holds up neither what publishes nor a stop; the next process sends it", async () => {
    const webhooks = await open({ timeoutMs: 60_000 });
    sink.status = "hang";
    for (let n = 0; n < 1000; n++) webhooks.publish(verdict(`v-${n}`));
    await until(() => sink.requests.length === 1);
    await webhooks.close(50);
    sink.status = 200;
    await (await open()).flush();
    expect(new Set(sink.verdictIds()).size).toBe(1000);
  });
});
