import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentTrace, agentTrace, type PlainSpan, requestAsProtobuf } from "../../chaos/agent-trace.ts";
import { freePort } from "../../support/free-port.ts";
import { openBrowser } from "../../ui/browser.ts";
import { freePorts, Tracejury } from "../servers/peers.ts";
import { sendOwnTraces } from "./own-traces.ts";
import { langfuse, mlflow, phoenix, type PostedScore, type ScorePage, type ScoreServer } from "./servers.ts";

/*
 * npm run long -- scores [KIND… PART…]: `serve` sends on the traces it judges and posts their scores, to a real Phoenix, a real MLflow, and a server that
 * answers as Langfuse's API description says. It is killed again and again meanwhile. In the end each trace has each score once.
 * Then spans come late, and the scores of a second revision are to replace those of the first.
 * Then `serve` sends the traces of its own work to Phoenix and MLflow. The parts: kills, revisions, own-traces.
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

const parts = ["kills", "revisions", "own-traces"];
const words = process.argv.slice(2);
const wanted = words.filter((word) => !parts.includes(word));
const isAsked = (part: string): boolean =>
  !words.some((word) => parts.includes(word)) || words.includes(part);
let failed = false;
for (const [kind, start] of Object.entries(servers)) {
  if (wanted.length > 0 && !wanted.includes(kind)) continue;
  const folder = mkdtempSync(join(tmpdir(), `tracejury-scores-${kind}-`));
  mkdirSync(join(folder, "server"));
  const server = await start(join(folder, "server"));
  try {
    const pictures = process.env["SCORES_PICTURES"];
    if (isAsked("kills")) {
      const figures = await killed(kind, server, folder);
      const { missing, doubled } = figures;
      failed ||= missing + doubled > 0;
      console.log(JSON.stringify({ kind, ...figures }));
      if (pictures !== undefined) await takePictures(kind, await server.pages(), pictures);
    }
    if (isAsked("revisions")) {
      const figures = await revised(kind, server, mkdtempSync(join(folder, "revised-")));
      const { revised: all, passedFirst, passThen, missing, doubled, stale } = figures;
      failed ||= missing + doubled + stale > 0 || passedFirst !== all || passThen > 0;
      console.log(JSON.stringify({ kind, ...figures }));
    }
    if (server.own !== null && isAsked("own-traces")) {
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
  writeFileSync(join(folder, "spec.yaml"), specWith("expected_tools: [look_up]"));
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
    found = (await server.scores(traceIds)).map(keyOf);
    if (expected.every((score) => found.includes(score))) break;
    await sleep(1000);
  }
  // Once more, with everything posted: the journal may still have traces of the last moments.
  await tracejury.end("SIGKILL");
  await tracejury.start();
  await sleep(6000);
  await tracejury.end("SIGTERM");
  found = (await server.scores(traceIds)).map(keyOf);
  return {
    traces: TRACES,
    kills: KILLS.length + 1,
    scores: found.length,
    missing: expected.filter((score) => !found.includes(score)).length,
    doubled: found.length - new Set(found).size,
  };
}

/**
 * Runs are judged and their scores posted; then one more tool of each comes, so that the second revision does not pass as the first did. `stale` is
 * the number of scores that are not of the second.
 */
async function revised(kind: string, server: ScoreServer, folder: string): Promise<RevisedFigures> {
  const ports = await freePorts();
  const tracejury = new Tracejury(folder, ports, await freePort(), {
    export: {
      scores: [{ kind, endpoint: server.url, names: ["tracejury.*", "path.*"], on: "check" }],
      revisions: "all",
    },
    forward: server.forward === null ? [] : [server.forward],
    assemble: { root_quiet: "500ms", root_open: "1s", late_window: "2m" },
  });
  writeFileSync(join(folder, "spec.yaml"), specWith("expected_tools: [look_up], max_tool_calls: 1"));
  await tracejury.start();
  const series = 1 + Math.floor(Math.random() * 2 ** 40);
  const traces = Array.from({ length: 20 }, (_, n) => agentTrace(series, n, 2));
  const traceIds = traces.map(({ traceId }) => traceId);
  const whenThere = async (revision: string): Promise<readonly PostedScore[]> => {
    for (let tries = 0; ; tries++) {
      const all = (await server.scores(traceIds)).filter(({ traceId }) => traceIds.includes(traceId));
      const count = all.filter(
        (score) => score.name === "tracejury.verdict" && score.revision === revision,
      ).length;
      if (count === traces.length || tries === 60) return all;
      await sleep(1000);
    }
  };
  const send = async (part: (trace: AgentTrace) => readonly PlainSpan[]): Promise<void> => {
    for (const trace of traces) await sendUntilTaken(ports.http, part(trace).map(ofNow));
  };
  await send(({ tools, root }) => [...tools.slice(1), root]);
  const first = await whenThere("1");
  await send(({ tools }) => tools.slice(0, 1));
  await whenThere("2");
  await sleep(3000);
  const second = await server
    .scores(traceIds)
    .then((all) => all.filter(({ traceId }) => traceIds.includes(traceId)));
  await tracejury.end("SIGTERM");
  const passes = (all: readonly PostedScore[]): number =>
    all.filter(({ name, outcome }) => name === "tracejury.verdict" && outcome === "pass").length;
  const keys = second.map(keyOf);
  const expected = traceIds.flatMap((id) => [...names, "path.tool_calls"].map((name) => `${id} ${name}`));
  return {
    revised: traces.length,
    passedFirst: passes(first),
    passThen: passes(second),
    missing: expected.filter((key) => !keys.includes(key)).length,
    doubled: keys.length - new Set(keys).size,
    stale: second.filter(({ revision }) => revision !== "2").length,
  };
}

interface RevisedFigures {
  readonly revised: number;
  readonly passedFirst: number;
  readonly passThen: number;
  readonly missing: number;
  readonly doubled: number;
  readonly stale: number;
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

function specWith(path: string): string {
  return `version: 1
agent: chaos
queries: [{ query: "*", correctness: { not_in_answer: [nothing] }, path: { ${path} } }]
`;
}

function keyOf({ traceId, name }: PostedScore): string {
  return `${traceId} ${name}`;
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
