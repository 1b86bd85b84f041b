import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { serveConfig } from "../chaos/serve-config.ts";
import { ServeProcess } from "../chaos/serve-process.ts";
import { until } from "../support/eventually.ts";
import { runCli } from "../support/run-cli.ts";
import { postRecording, serveInTest } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * What `serve` writes where its output is no terminal, and how its ports are reached.
 */

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const tls = resolve("test/fixtures/tls");
const authority = join(tls, "authority.pem");

interface Running {
  readonly process: ServeProcess;
  readonly http: string;
  readonly admin: string;
}

async function running(settings: Readonly<Record<string, unknown>>): Promise<Running> {
  const { config, http, admin } = await serveConfig(folder, {
    assemble: { root_quiet: "0s", root_open: "0s" },
    ...settings,
  });
  const process = await ServeProcess.start({ config });
  onTestFinished(async () => void (await process.end("SIGTERM")));
  return { process, http: `127.0.0.1:${http}`, admin: `127.0.0.1:${admin}` };
}

/** One command, in a process of its own: Node reads the authorities it trusts when it starts. */
async function command(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ["bin/tracejury.js", ...words], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return `${out}${error}`;
}

it("a collector without a terminal logs lines of JSON only, among them verdicts that failed and requests at wrong paths", async () => {
  const { process, http, admin } = await running({ specs: [resolve("specs/rag-agent.yaml")] });
  const live = { listening: { http, grpc: null, admin } };
  await fetch(`http://${http}/v1/trace`, { method: "POST", body: "{}" });
  await fetch(`http://${admin}/v1/traces`, { method: "POST", body: "{}" });
  await postRecording(live, "rag-weather-broken.langgraph");
  await until(() => process.log.includes("a run failed"), "a run failed");
  const lines = process.log.trimEnd().split("\n");
  const read = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  expect(read.find(({ msg }) => msg === "a run failed")).toMatchObject({
    level: "warn",
    outcome: "fail",
    spec: "rag-agent",
    query_id: "weather",
    agent: "rag-agent",
    reason: expect.stringContaining("forbidden_tools"),
  });
  expect(read.find(({ path }) => path === "/v1/trace")).toMatchObject({
    msg: expect.stringContaining("the correct path is /v1/traces"),
  });
  expect(read.find(({ path }) => path === "/v1/traces")).toMatchObject({
    msg: expect.stringContaining("the admin port and refused with status 405"),
    receivers: { http },
  });
  expect(readFileSync(join(folder, "data", ".gitignore"), "utf8")).toBe("*\n");
});

describe("a collector whose ports use TLS", () => {
  const files = { cert_file: `${tls}/server.pem`, key_file: `${tls}/server.key` };

  it("prints addresses that work, and commands say what keeps them from it", async () => {
    const { process, http, admin } = await running({
      security: { receive_tls: files, admin_tls: files },
      store: { mode: "memory" },
      specs: [`${folder}/specs/*.yaml`],
    });
    const recorded = readFileSync("test/fixtures/runs/rag-weather-fixed.langgraph.jsonl", "utf8");
    for (const line of recorded.trimEnd().split("\n")) await postWithTls(`https://${http}/v1/traces`, line);
    const printed = `tracejury init --from https://${admin}`;
    await until(() => process.log.includes(printed), printed);

    const address = `https://${admin}`;
    const trusted = { NODE_EXTRA_CA_CERTS: authority };
    expect(await command(trusted, "inspect", address)).toContain("What's the weather in Tokyo?");
    expect((await runCli("inspect", address)).stderr).toMatch(
      /signed by an unknown authority: name the authority's certificate file in NODE_EXTRA_CA_CERTS/,
    );
    expect((await runCli("inspect", `http://${admin}`)).stderr).toContain(
      `the port may accept only TLS: try ${address}`,
    );
  });

  it("is asked without TLS where it uses none", async () => {
    const live = await serveInTest({});
    const { admin } = live.listening;
    expect((await runCli("inspect", `https://${admin}`)).stderr).toContain(
      `the port may not use TLS: try http://${admin}`,
    );
  });
});

async function postWithTls(url: string, body: string): Promise<void> {
  const sending = request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    ca: readFileSync(authority),
  });
  sending.end(body);
  const [answer] = (await once(sending, "response")) as [
    NodeJS.ReadableStream & { readonly statusCode: number },
  ];
  await text(answer);
  expect(answer.statusCode).toBe(200);
}
