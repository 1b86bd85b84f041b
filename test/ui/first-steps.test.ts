import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { Collector } from "../../src/collector/inputs/live-port.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { document, span } from "../support/otlp.ts";
import { specOf } from "../support/spec-of.ts";
import { post, postRecording, inMemory, serve } from "../support/serve.ts";
import { until } from "../support/eventually.ts";
import type { StoreSettings } from "../../src/store/settings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { sharedBrowser } from "./browser.ts";
import { faultsOf } from "./looked-at.ts";
import { openPage } from "./open-page.ts";
import { builtPage } from "./served.ts";

/*
 * The page while there is nothing to judge, or nothing to judge it by.
 */

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

/**
 * A collector that lists the runs of recordings; it stops when the test has closed its pages.
 * @param stored number of runs that the store has already
 */
async function started(
  specs: readonly CompiledSpec[] = [],
  recordings: readonly string[] = [],
  store: StoreSettings = inMemory,
  stored = 0,
): Promise<{ live: Collector; address: string }> {
  const timeouts = { rootQuietMs: 50, rootOpenMs: 100 };
  const live = await serve({ store, page: builtPage(), timeouts, specs });
  onTestFinished(() => live.stop(2_000));
  const address = `http://${live.listening.admin}`;
  for (const recording of recordings) await postRecording(live, recording);
  // What comes after the page was opened is shown some 20 seconds later.
  await until(async () => {
    const answer = await fetch(`${address}/api/v1/facets`);
    return ((await answer.json()) as { total: number }).total === stored + recordings.length;
  });
  return { live, address };
}

/** The faults as it is, and in a desk's width and light colours. */
async function faultsAtBothWidths(page: Page): Promise<readonly object[]> {
  const found = [await faultsOf(page)];
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  found.push(await faultsOf(page));
  return found.filter(({ axe, tooWide }) => axe.length + tooWide > 0);
}

const phone = { width: 390, colorScheme: "dark" } as const;

const server = JSON.stringify(
  document([span("s", undefined, "GET /cart", 0, 1_000, { "http.request.method": "GET" }, { kind: 2 })], {
    scope: "@opentelemetry/instrumentation-http",
  }),
);

test("spans without an agent are said, with what is missing; the first run takes over", async () => {
  const { live, address } = await started();
  const page = await openPage(browser, address);
  await page.getByRole("heading", { level: 1, name: "Listening. No span has arrived yet." }).waitFor();
  await page.getByText(`export OTEL_EXPORTER_OTLP_ENDPOINT=http://${live.listening.http}`).waitFor();
  expect(await faultsOf(page)).toEqual({ axe: [], tooWide: 0 });
  await post(live, server);
  await page.getByRole("heading", { level: 1, name: "1 received span belongs to no agent" }).waitFor();
  await page
    .getByText("1 span of service shop: HTTP server, scope @opentelemetry/instrumentation-http")
    .waitFor();
  await page.getByText(`tracejury doctor ${address}`).waitFor();
  expect(await faultsOf(page)).toEqual({ axe: [], tooWide: 0 });
  await postRecording(live, "rag-weather-fixed.langgraph");
  await page.getByRole("heading", { level: 1, name: "1 run seen, no spec yet" }).waitFor();
  expect(await page.getByText("belongs to no agent").count()).toBe(0);
});

test("runs that no query matches: Home says why, and what to write", async () => {
  const spec = specOf('agent: shop\nqueries:\n  - { query: "*", path: { max_loops: 1 } }');
  const { address } = await started([spec], ["rag-weather-fixed.langgraph"]);
  const page = await openPage(browser, address, phone);
  await page.getByRole("heading", { level: 1, name: "1 run seen, and none judged" }).waitFor();
  await page.getByText('a run of "rag-agent", but the spec is for the agent "shop"').waitFor();
  await page.getByText(`tracejury init --from ${address}`, { exact: true }).waitFor();
  await page.getByText(`tracejury init --from ${address} --add`, { exact: true }).waitFor();
  expect(await faultsAtBothWidths(page)).toEqual([]);
  await page.getByRole("link", { name: "Queries", exact: true }).last().click();
  await page.getByText("Questions without a verdict").waitFor();
});

test("runs that no query matches are named on Home while other runs are judged", async () => {
  const spec = specOf(
    "agent: rag-agent\nqueries:\n  - { query: What's the weather in Tokyo?, path: { max_loops: 1 } }",
  );
  const { address } = await started([spec], ["rag-weather-fixed.langgraph", "rag-install.langgraph"]);
  const page = await openPage(browser, address, phone);
  await page.getByText("1 run, and it passed").waitFor();
  await page.getByText("1 run not judged (rag-agent)").click();
  await page.getByText("no query of the spec matches the run's question").first().waitFor();
  await page.getByText(`tracejury init --from ${address} --add`, { exact: true }).waitFor();
  expect(await faultsAtBothWidths(page)).toEqual([]);
});

test("runs that came before the first spec: every view says so, and how to judge them", async () => {
  const path = join(temporaryFolder(), "store.db");
  const retention = { maxAgeMs: 1e12, maxBytes: 2 ** 32 };
  const store = { mode: "sqlite", path, telemetry: true, retention, perSecond: 1_000 } as const;
  const before = await started([], ["rag-weather-fixed.langgraph"], store);
  await before.live.stop(2_000);
  const spec = specOf('agent: dev-agent\nqueries:\n  - { query: "*", path: { max_loops: 9 } }');
  const { live, address } = await started([spec], [], store, 1);
  await postRecording(live, "dev-json.agents-sdk");
  const page = await openPage(browser, address, phone);
  await page.getByRole("heading", { level: 1, name: "1 run, and it passed" }).waitFor();
  await page
    .getByText(
      "1 run not judged, because it was received before the collector had a spec, or left out by sampling",
    )
    .click();
  await page.getByText(`tracejury test ${address}`, { exact: true }).waitFor();
  expect(await faultsAtBothWidths(page)).toEqual([]);
  await page.goto(`${address}/runs?outcome=none`);
  await page
    .getByText("received before the collector had a spec, or left out by sampling", { exact: true })
    .click();
  await page
    .getByText("This run was received before the collector had a spec, or left out by sampling.")
    .waitFor();
});

test("runs without a spec: every view names the command that writes one, and shows the spec on demand", async () => {
  const { address } = await started([], ["rag-weather-fixed.langgraph"]);
  const page = await openPage(browser, address, phone);
  await page.getByRole("heading", { level: 1, name: "1 run seen, no spec yet" }).waitFor();
  await page.getByText(`tracejury init --from ${address}`).waitFor();
  await page.getByRole("button", { name: "Show the spec it would write" }).click();
  const spec = page.getByRole("region", { name: "specs/rag-agent.yaml" });
  await spec.getByText(/query: What's the weather in Tokyo\?/).waitFor();
  expect(await faultsAtBothWidths(page)).toEqual([]);
  await page.getByRole("link", { name: "Runs", exact: true }).last().click();
  await page.getByText("What's the weather in Tokyo?").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/runs");

  await page.goto(`${address}/queries`);
  await page.getByText(`tracejury init --from ${address}`).waitFor();
  expect(await page.getByText("Questions without a verdict").count()).toBe(0);
  const { runs } = (await (await fetch(`${address}/api/v1/runs`)).json()) as {
    readonly runs: readonly { readonly run_id: string }[];
  };
  await page.goto(`${address}/runs/${runs[0]?.run_id ?? ""}`);
  await page.getByText("There is no spec yet.").waitFor();
  await page.getByText(`tracejury init --from ${address}`).waitFor();
});
