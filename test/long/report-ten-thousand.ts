import { spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { openBrowser } from "../ui/browser.ts";

/*
 * `npm run long -- report-ten-thousand [COUNT]`: ten thousand runs in one dump, `test` with every report at once, in one pass; once with a spec that all
 * runs hold to, once with one that none does. Then the HTML is opened in a browser. Prints one JSON object; exit 1 when the memory is over
 * 400 MB or the page does not show its runs.
 */

const count = Number(process.argv[2] ?? 10_000);
const MOST_MB = 400;

/** A recorded run, again and again under ids of its own. */
function writeDump(path: string): void {
  const text = readFileSync("test/fixtures/runs/rag-aws.langgraph.jsonl", "utf8").trim();
  const traceId = /"traceId":"([0-9a-f]{32})"/.exec(text)?.[1] ?? "";
  const file = openSync(path, "w");
  for (let at = 1; at <= count; at++) {
    const id = at.toString(16).padStart(32, "0");
    writeSync(file, `${text.replaceAll(traceId, id)}\n`);
  }
  closeSync(file);
}

const hopeless = `agent: rag-agent
queries:
  - id: aws
    query: "How do I configure an AWS load balancer?"
    correctness: { expected_in_answer: [zebra, giraffe] }
    path: { max_tool_calls: 0, forbidden_tools: [retriever_tool], expected_tool_sequence: [a, b, c] }
    cost: { max_total_tokens: 10, max_llm_calls: 1 }
`;

interface Tested {
  readonly exitCode: number | null;
  readonly seconds: number;
  /** The most the process had in memory at any time. */
  readonly peakMb: number;
}

function runTest(dump: string, spec: string, outputs: readonly string[]): Promise<Tested> {
  const began = performance.now();
  const words = ["test", dump, "--spec", spec, "--judge", "off", "--on-missing", "warn"];
  const child = spawn(process.execPath, ["bin/tracejury.js", ...words, ...outputs], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peakKb = 0;
  const watch = setInterval(() => {
    peakKb = Math.max(peakKb, peakOf(child.pid ?? 0));
  }, 50);
  return new Promise((resolve) => {
    child.on("exit", (exitCode) => {
      clearInterval(watch);
      resolve({ exitCode, seconds: (performance.now() - began) / 1000, peakMb: Math.round(peakKb / 1024) });
    });
  });
}

/** As the kernel has it; 0 once the process is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

interface Shown {
  readonly firstPaintMs: number;
  readonly cards: number;
  readonly place: string;
}

async function openPage(path: string): Promise<Shown> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    const firstPaintMs = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1,
    );
    const cards = await page.locator("#runs > details").count();
    return { firstPaintMs: Math.round(firstPaintMs), cards, place: await page.locator("#place").innerText() };
  } finally {
    await browser.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "report-large-"));
try {
  const dump = join(folder, "dump.jsonl");
  writeDump(dump);
  const outputs = formats.flatMap((format) => ["--output", `${format}=${join(folder, `report.${format}`)}`]);
  const spec = join(folder, "hopeless.yaml");
  writeFileSync(spec, hopeless);
  const failing = await runTest(dump, spec, outputs);
  const tested = await runTest(dump, "specs/rag-agent.yaml", outputs);
  const sizes = Object.fromEntries(
    formats.map((format) => [format, statSync(join(folder, `report.${format}`)).size]),
  );
  const page = await openPage(join(folder, "report.html"));
  console.log(
    JSON.stringify({ runs: count, dumpBytes: statSync(dump).size, ...tested, failing, sizes, page }, null, 2),
  );
  const whole = page.place.includes(String(count)) && page.cards > 0;
  const ended = tested.exitCode === 0 && failing.exitCode === 1;
  if (!ended || Math.max(tested.peakMb, failing.peakMb) > MOST_MB || !whole) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
