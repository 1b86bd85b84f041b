import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PageFiles, readPageFiles } from "../../src/interfaces/api/page/page-files.ts";
import { inMemory, serve as startServe } from "../support/serve.ts";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import { packageFolder } from "../../src/support/process/package-folder.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import type { StoreSettings } from "../../src/store/settings.ts";
import { until } from "../support/eventually.ts";
import { exampleSpec } from "../support/spec-of.ts";
import { sharedBrowser } from "./browser.ts";
import { type Look, openPage } from "./open-page.ts";

/** The page as `npm run build` made it. */
export function builtPage(): PageFiles {
  const files = readPageFiles(fileURLToPath(new URL("dist/page", packageFolder())));
  if (files === undefined) throw new Error("the page is not built: run `npm run build` first");
  return files;
}

/** A recording by its name; with a query, as a run of its own that was asked something else. */
export type Recording = string | { readonly recording: string; readonly query: string };

export interface Served {
  readonly live: Collector;
  /** Address of the page. */
  readonly address: string;
  /** Id of the newest run that fits a filter of the list. */
  idOf(filter: string): Promise<string>;
  /** Sends recordings and waits until their runs are listed. */
  send(...recordings: readonly Recording[]): Promise<void>;
}

/** A collector with the example specs, further ones, and the page, on free ports; traces close quickly. */
export async function serve(
  store: StoreSettings = inMemory,
  {
    baselineDir,
    specs = [],
  }: { readonly baselineDir?: string; readonly specs?: readonly CompiledSpec[] } = {},
): Promise<Served> {
  const live = await startServe({
    specs: [...["rag-agent", "dev-agent", "support-router"].map(exampleSpec), ...specs],
    baselineDir: baselineDir ?? join(tmpdir(), "tracejury-no-baselines"),
    page: builtPage(),
    shownConfig: () =>
      JSON.stringify({ config: { admin: "127.0.0.1:0", receive: { grpc: "off" } }, origins: {} }),
    timeouts: { rootQuietMs: 300, rootOpenMs: 600 },
    store,
  });
  const address = `http://${live.listening.admin}`;
  const listed = async (): Promise<number> => {
    const answer = await fetch(`${address}/api/v1/facets`);
    return ((await answer.json()) as { total: number }).total;
  };
  return {
    live,
    address,
    async idOf(filter) {
      const answer = await fetch(`${address}/api/v1/runs?${filter}`);
      const { runs } = (await answer.json()) as { runs: { run_id: string }[] };
      return runs[0]?.run_id ?? "";
    },
    async send(...recordings) {
      const before = await listed();
      for (const recording of recordings) await sendLines(`http://${live.listening.http}`, recording);
      const wanted = before + recordings.length;
      await until(async () => (await listed()) >= wanted, `${wanted} runs are listed`);
    },
  };
}

async function sendLines(endpoint: string, what: Recording): Promise<void> {
  const name = typeof what === "string" ? what : what.recording;
  const text = readFileSync(`test/fixtures/runs/${name}.jsonl`, "utf8");
  const lines = (typeof what === "string" ? text : askedOtherwise(text, what.query)).split("\n");
  for (const body of lines.filter((line) => line !== "")) {
    const headers = { "content-type": "application/json" };
    await fetch(`${endpoint}/v1/traces`, { method: "POST", headers, body });
  }
}

/** The recording with another query and another trace id. */
function askedOtherwise(text: string, query: string): string {
  const traceId = /"traceId":"([0-9a-f]{32})"/.exec(text)?.[1] ?? "";
  const other = `${traceId.slice(0, 24)}${traceId.slice(24).split("").reverse().join("")}`;
  return text.replaceAll(traceId, other).replaceAll("What's the weather in Tokyo?", query);
}

/** A collector that serves the runs of a file, for all tests of a test file, and the browser. */
export interface Shown {
  readonly browser: Browser;
  readonly served: Served;
  /** Opens a view. */
  open(path: string, look?: Look): Promise<Page>;
}

/** Starts a collector before the tests of a file, and stops it after them. */
export function shownBy(start: () => Promise<Served>): Shown {
  let opened: readonly [Browser, Served] | undefined;
  const both = (): readonly [Browser, Served] => {
    if (opened === undefined) throw new Error("the collector starts before the tests, not before the file");
    return opened;
  };
  beforeAll(async () => {
    opened = await Promise.all([sharedBrowser(), start()]);
  });
  afterAll(() => opened?.[1].live.stop(2_000));
  return {
    get browser() {
      return both()[0];
    },
    get served() {
      return both()[1];
    },
    open(path, look) {
      const [browser, { address }] = both();
      return openPage(browser, `${address}${path}`, look);
    },
  };
}

/** A collector that serves the runs of a store's file. */
export function serveFile(path: string, options: Parameters<typeof serve>[1] = {}): Promise<Served> {
  const retention = { maxAgeMs: 1e12, maxBytes: 2 ** 32 };
  return serve({ mode: "sqlite", path, telemetry: true, retention, perSecond: 1_000 }, options);
}
