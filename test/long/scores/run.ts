import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { agentTrace, type PlainSpan, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { freePort } from "../../support/free-port.ts";
import { openBrowser } from "../../ui/browser.ts";
import { freePorts, Tracejury } from "../peers.ts";
import { sendOwnTraces } from "./own-traces.ts";
import { langfuse, mlflow, phoenix, type ScorePage, type ScoreServer } from "./servers.ts";

/*
 * npm run scores [-- KIND… | own-traces]: `serve` sends on the traces it judges and posts their scores, to a real Phoenix, a real MLflow, and a server that
 * answers as Langfuse's API description says. It is killed again and again meanwhile. In the end each trace has each score once.
 * Then `serve` sends the traces of its own work to Phoenix and MLflow. `-- own-traces` does this alone.
 * SCORES_PICTURES names a folder for pictures of the tools' pages.
 */

const TRACES = 100;
/** After the start, in milliseconds: before, while and after scores are posted. */
const KILLS = [300, 900, 1400, 1800, 2500];
const shiftMs = Date.now() - agentTrace(0, 0, 0).root.startMs;
const names = ["tracejury.verdict", "tracejury.correctness", "tracejury.path", "path.tool_recall"];
const servers: Readonly<Record<string, (folder: string) => Promise<ScoreServer>>> = {
  phoenix,
  mlflow,
  langfuse,
};

const isOwnOnly = process.argv.includes("own-traces");
const wanted = process.argv.slice(2).filter((kind) => kind !== "own-traces");
let failed = false;
for (const [kind, start] of Object.entries(servers)) {
  if (wanted.length > 0 && !wanted.includes(kind)) continue;
  const folder = mkdtempSync(join(tmpdir(), `tracejury-scores-${kind}-`));
  mkdirSync(join(folder, "server"));
  const server = await start(join(folder, "server"));
  try {
    const pictures = process.env["SCORES_PICTURES"];
    if (!isOwnOnly) {
      const figures = await killed(kind, server, folder);
      const { missing, doubled } = figures;
      failed ||= missing + doubled > 0;
      console.log(JSON.stringify({ kind, ...figures }));
      if (pictures !== undefined) await takePictures(kind, await server.pages(), pictures);
    }
    if (server.own !== null) {
      const own = await sendOwnTraces(server.url, server.own, mkdtempSync(join(folder, "own-")), ofNow);
      failed ||= own.missing > 0;
      console.log(JSON.stringify({ kind, own }));
      if (pictures !== undefined) await takePictures(`${kind}-own`, await server.own.pages(), pictures);
    }
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
process.exitCode = failed ? 1 : 0;

async function killed(
  kind: string,
  server: ScoreServer,
  folder: string,
): Promise<{ traces: number; kills: number; scores: number; missing: number; doubled: number }> {
  const ports = await freePorts();
  const admin = await freePort();
  const tracejury = new Tracejury(folder, ports, admin, {
    export: {
      link: `http://127.0.0.1:${admin}`,
      scores: [{ kind, endpoint: server.url, names: ["tracejury.*", "path.*"], on: "check" }],
      revisions: "all",
    },
    forward: server.forward === null ? [] : [server.forward],
    assemble: { root_quiet: "1s", root_open: "1s", late_window: "1s" },
  });
  writeFileSync(
    join(folder, "spec.yaml"),
    `version: 1
agent: chaos
queries: [{ query: "*", correctness: { not_in_answer: [nothing] }, path: { expected_tools: [look_up] } }]
`,
  );
  await tracejury.start();
  const series = 1 + Math.floor(Math.random() * 2 ** 40);
  const traces = Array.from({ length: TRACES }, (_, n) => agentTrace(series, n, 2));
  const sending = (async () => {
    for (const { tools, root } of traces) {
      await sendUntilTaken(ports.http, [...tools, root].map(ofNow));
      await sleep(30);
    }
  })();
  for (const afterMs of KILLS) {
    await sleep(afterMs);
    await tracejury.end("SIGKILL");
    await tracejury.start();
  }
  await sending;
  const traceIds = traces.map(({ traceId }) => traceId);
  const expected = traceIds.flatMap((id) => names.map((name) => `${id} ${name}`));
  let found: readonly string[] = [];
  for (let tries = 0; tries < 60; tries++) {
    found = (await server.scores(traceIds)).map(ofTrace);
    if (expected.every((score) => found.includes(score))) break;
    await sleep(1000);
  }
  // Once more, with everything posted: the journal may still have traces of the last moments.
  await tracejury.end("SIGKILL");
  await tracejury.start();
  await sleep(6000);
  await tracejury.end("SIGTERM");
  found = (await server.scores(traceIds)).map(ofTrace);
  return {
    traces: TRACES,
    kills: KILLS.length + 1,
    scores: found.length,
    missing: expected.filter((score) => !found.includes(score)).length,
    doubled: found.length - new Set(found).size,
  };
}

/** The tools show the last days first. */
function ofNow(span: PlainSpan): PlainSpan {
  return { ...span, startMs: span.startMs + shiftMs, endMs: span.endMs + shiftMs };
}

/** As protobuf: Phoenix takes nothing else. */
async function sendUntilTaken(port: number, spans: readonly PlainSpan[]): Promise<void> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: new Uint8Array(requestAsProtobuf(spans)),
  };
  while ((await fetch(`http://127.0.0.1:${port}/v1/traces`, request).catch(() => null))?.ok !== true) {
    await sleep(100);
  }
}

/** A score of an observation is one of its trace. */
function ofTrace(score: string): string {
  return score.replace(/\/\S+/, "");
}

/** Pictures of the tool's own page: the list of traces, and one of them. */
async function takePictures(kind: string, pages: readonly ScorePage[], folder: string): Promise<void> {
  const browser = await openBrowser();
  try {
    for (const [index, { url, text, open }] of pages.entries()) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 800 } });
      await page.goto(url);
      await page.getByText(text).first().waitFor({ timeout: 120_000 });
      await page.waitForTimeout(5000); // these pages fetch on after they have loaded
      if (open !== undefined) await page.getByText(open).first().click();
      await page.waitForTimeout(3000);
      await page.screenshot({ path: join(folder, `${kind}-${index + 1}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
