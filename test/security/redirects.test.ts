import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createHttpTransport, sendResultOf } from "../../src/export/otlp/http-transport.ts";
import { createHttpSender } from "../../src/export/forward/backend/http-sender.ts";
import { createCollector } from "../../src/interfaces/mcp/collector.ts";
import { judgeBehind } from "../judge/support/judge-behind.ts";
import { reply, StoreServer } from "../pull/store-server.ts";
import { freePort } from "../support/free-port.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

const spec = join(folder, "spec.yaml");
writeFileSync(spec, 'version: 1\nagent: "*"\nqueries:\n  - id: order\n    query: Where is my order?\n');
const dump = join(folder, "dump.jsonl");
writeFileSync(dump, "");

const env = {
  AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SECRET_ACCESS_KEY: "canary",
  LANGFUSE_PUBLIC_KEY: "canary",
  LANGFUSE_SECRET_KEY: "canary",
  PHOENIX_API_KEY: "canary",
  TRACEJURY_TOKEN: "canary",
};

async function cli(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCliWith({ env }, ...words);
  expect(code).not.toBe(0);
  return stdout + stderr;
}

const pull = (address: (url: string) => string) => (url: string) =>
  cli("pull", address(url), "--out", join(folder, "out"));

const askAgent = async (url: string): Promise<string> =>
  cli(
    ...argv`test --url ${url}/ask --spec ${spec} --set ${`receive.http=127.0.0.1:${await freePort()}`}
      --timeout 20`,
  );

const export_ = async (url: string): Promise<string> => {
  const transport = createHttpTransport({
    url,
    headers: { authorization: "canary" },
    compression: "none",
    userAgent: "test",
    isRetryable: () => true,
  });
  const response = await transport.send(Buffer.from("verdict"), 20_000);
  transport.shutdown();
  return JSON.stringify(sendResultOf(response));
};

const forward = async (url: string): Promise<string> => {
  const sender = createHttpSender({
    endpoint: url,
    key: "forward[0]",
    headers: { authorization: "canary" },
    userAgent: "test",
    timeoutMs: 20_000,
  });
  const body = Buffer.from("{}");
  const sent = await sender.send({ signal: "traces", encoding: "json", coding: null, headers: {}, body });
  sender.close();
  return JSON.stringify(sent);
};

const judge = (kind: "anthropic" | "openai") => async (_: string, answer: Redirecting) => {
  const { judge: judged } = await judgeBehind(kind, () => answer);
  return JSON.stringify(await judged({ llm_judge: [{ rule: "is kind", threshold: 0.7 }] }));
};

interface Redirecting {
  readonly status: number;
  readonly headers: { readonly location: string };
}

/** Everything that asks an HTTP server, with what it says of a redirect. */
const clients: Readonly<Record<string, (url: string, answer: Redirecting) => Promise<string>>> = {
  "pull from Jaeger": pull((url) => `jaeger:${url}/`),
  "pull from Tempo": pull((url) => `tempo:${url}/`),
  "pull from Phoenix": pull((url) => `phoenix:${url}/shop`),
  "pull from Langfuse": pull((url) => `langfuse:${url}/`),
  "pull from MLflow": pull((url) => `mlflow:${url}/shop`),
  "pull from ClickHouse": pull((url) => `clickhouse:${url}/default.otel_traces`),
  "pull from S3": async (url) => {
    const { stderr } = await runCliWith(
      { env: { ...env, AWS_ENDPOINT_URL: url } },
      ...argv`pull s3://traces/prod --out ${join(folder, "out")}`,
    );
    return stderr;
  },
  "test --url": askAgent,
  "MCP's collector": (url) =>
    createCollector(url, "canary")
      .get("/api/v1/runs")
      .catch((error: Error) => error.message),
  "promote of a trace that serve has": (url) =>
    cli("promote", "4bf92f3577b34da6a3ce929d0e0e4736", "--spec", spec, "--set", `admin=${new URL(url).host}`),
  "doctor of a collector": (url) => cli("doctor", url),
  "exporters, webhooks and scores": export_,
  forwarders: forward,
  "a judge of Anthropic": judge("anthropic"),
  "a judge of OpenAI": judge("openai"),
};

describe.each(Object.entries(clients))("%s", (_, ask) => {
  test.each([301, 302, 303, 307, 308])(
    "a redirect (%i) is an error that names its target",
    async (status) => {
      await using elsewhere = await StoreServer.start(() => ({}));
      const location = `${elsewhere.url}/elsewhere?key=hidden`;
      await using front = await StoreServer.start(() => reply(status, "", { location }));

      const said = await ask(front.url, { status, headers: { location } });

      expect(elsewhere.asked).toEqual([]);
      expect(said).toContain(`HTTP ${status} redirects to ${elsewhere.url}/elsewhere`);
      expect(said).not.toMatch(/key=hidden|canary/);
    },
  );
});

test.each([
  ["without a target", {}, "an invalid address"],
  ["to a target that is none", { location: "http://[" }, "an invalid address"],
  [
    "with user and password",
    { location: "http://user:secret@host.example/path" },
    "http://host.example/path,",
  ],
  ["to a path of its own server", { location: "/ask/" }, "/ask/,"],
])("a redirect %s", async (_, headers, target) => {
  await using front = await StoreServer.start(() => reply(302, "", headers));

  expect(await export_(front.url)).toContain(target);
  expect(front.asked).toHaveLength(1);
});
