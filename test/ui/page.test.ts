import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { runCli } from "../support/run-cli.ts";
import { serve, shownBy } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ui = shownBy(async () => {
  const served = await serve();
  await served.send(
    "rag-weather-broken.langgraph",
    "rag-weather-fixed.langgraph",
    "rag-aws.langgraph",
    "support-cancel.agents-sdk",
    "dev-forbidden.agents-sdk",
  );
  await served.send({ recording: "rag-weather-fixed.langgraph", query: "Which museums are open?" });
  return served;
});

/** What the list says of itself. */
function count(page: Page, words: string): Locator {
  return page.getByRole("status").getByText(words, { exact: true });
}

test("a run that failed looks the same to whoever opens the link", async () => {
  const page = await ui.open("/runs?outcome=fail&text=weather");
  await count(page, "1 run").waitFor();
  await page.getByRole("link", { name: /weather in Tokyo/ }).click();
  await page.getByRole("button", { name: /max_tool_calls/ }).click();
  await page.locator(".step.lit").first().waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get("check")).toMatch(/^path\.max_tool_calls\./);
  const again = await ui.open(new URL(page.url()).pathname + new URL(page.url()).search);
  await again.locator(".step.lit").first().waitFor();
  await expect
    .poll(() => again.getByRole("button", { name: /max_tool_calls/ }).getAttribute("aria-pressed"))
    .toBe("true");
});

describe("the other views", () => {
  test("queries: the worst comes first and shows its failures; what no spec is about becomes a query block", async () => {
    const page = await ui.open("/queries");
    await page.getByRole("button", { name: "weather", exact: true }).click();
    await page.getByRole("link", { name: /fail What's the weather in Tokyo/ }).waitFor();
    await page.getByRole("img", { name: "Pass rate over time" }).locator("canvas").waitFor();
    await page.getByText(/Coverage: 4 of \d+ queries of the specs had runs/).waitFor();

    await page.getByRole("button", { name: "Make a query" }).click();
    const block = await page.locator(".clusters pre").textContent();
    expect(parse(block ?? "")).toMatchObject([
      { query: "Which museums are open?", path: { max_tool_calls: 0 } },
    ]);
  });

  test("compare: a side that is not picked has all other runs, and the page says so with the sizes", async () => {
    const page = await ui.open("/compare?a_model_name=gpt-4o-2024-08-06");
    const compared = page.getByLabel("What is compared");
    await compared.waitFor();
    await expect
      .poll(() => compared.textContent())
      .toMatch(
        /B has all other runs: those that are not in A · A model gpt-4o-2024-08-06, 1 judged run · B all other runs, \d+ judged runs · /,
      );
    const picked = page.getByLabel("What B is picked by").locator("option:checked");
    await expect.poll(() => picked.textContent()).toBe("the rest: not A");
  });

  test("system: what came in, what doctor finds, the configuration", async () => {
    const page = await ui.open("/system");
    await page.getByRole("heading", { level: 1, name: "Nothing was refused, nothing was lost" }).waitFor();
    const accounts = page.getByRole("region", { name: "Accounts" });
    await expect
      .poll(() => accounts.textContent())
      .toMatch(
        /\d+ spans received.*0 requests refused.*\d+ verdicts made.*0 spans arrived too late to be judged/,
      );
    await page.getByText("All figures").click();
    await page
      .getByRole("row", { name: /accepted spans/ })
      .first()
      .waitFor();
    const evidence = page
      .getByRole("region", { name: "Evidence by service and instrumentation" })
      .getByRole("row");
    const [head = "", first = "", ...others] = await evidence.allTextContents();
    expect(head).toMatch(/queryanswer.*tool resultsusage/);
    // rag-agent names its agent in no span; the others lose nothing but sessions.
    expect(first).toMatch(/^rag-agent OpenInference for LangChain \(JavaScript\) [\d.]+, 4 runs.*✗ 0\/4/);
    expect(others.join()).not.toContain("✗");
    const advice = page.getByRole("region", { name: "What to switch on" });
    await expect
      .poll(() => advice.textContent())
      .toMatch(
        /rag-agent · OpenInference for LangChain \(JavaScript\) [\d.]+ 4 runsMissing: agent names in 4 of 4 runs.*createAgent\(\{ name \}\).*for agent names; docs\/agents\/langgraph-javascript\.md/,
      );
    await page.getByText("receive", { exact: true }).click();
    await expect.poll(() => page.getByText('"off"').isVisible()).toBe(true);
  });
});

test("a run becomes a query block, and a verdict gets a label that is kept", async () => {
  const page = await ui.open("/runs?agent=rag-agent&outcome=pass");
  await page.getByRole("link", { name: /weather in Tokyo/ }).click();
  await page.getByRole("button", { name: "Copy as query" }).click();
  await page.getByRole("button", { name: "Copy query" }).click();
  const [block] = parse((await page.locator("dialog pre").textContent()) ?? "") as [{ query: string }];
  expect(block.query).toBe("What's the weather in Tokyo?");
  await page.getByRole("button", { name: "Close" }).click();

  await page.getByLabel("Reason").fill("it declined, as it should");
  await page.getByRole("button", { name: "Verdict is right" }).click();
  await page.getByText("it declined, as it should").waitFor();
  const labels = (await (await fetch(`${ui.served.address}/api/v1/labels`)).json()) as object;
  expect(Object.values(labels)).toEqual(["pass"]);
});

test("a failed run becomes a test, by the command that the page shows, and no example", async () => {
  const page = await ui.open("/runs?agent=rag-agent&outcome=fail");
  await page.getByRole("link", { name: /weather in Tokyo/ }).click();
  await page.getByRole("button", { name: "Promote to a test" }).click();
  for (const name of ["Copy as query", "Save as baseline"])
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  const shown = (await page.locator("dialog pre").textContent()) ?? "";
  expect(shown).toMatch(
    /^tracejury promote [0-9a-f]{32}-[0-9a-f]{16} --spec specs\/rag-agent\.yaml --set admin=/,
  );
  const { code, stdout } = await runCli(...shown.trim().split(" ").slice(1), "--dry-run", "--judge", "off");
  expect(code).toBe(0);
  expect(stdout).toContain("specs/rag-agent.yaml already has a query for the run: weather");
});

test("a run's telemetry, downloaded, is a dump that says the same; it becomes a baseline", async () => {
  const page = await ui.open("/runs?agent=rag-agent&outcome=pass");
  await page.getByRole("link", { name: /weather in Tokyo/ }).click();
  const folder = temporaryFolder();
  await page.getByRole("button", { name: "Save as baseline" }).click();
  await expect.poll(() => page.locator("dialog pre").textContent()).toContain("tracejury save run-");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page
      .locator("dialog")
      .getByRole("link", { name: /Download run-/ })
      .click(),
  ]);
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  const spec = ["--spec", "specs/rag-agent.yaml", "--judge", "off", "--query", "weather"];
  expect(await runCli("test", file, ...spec)).toMatchObject({ code: 0 });
});

test("a paused list stands still and counts what has come", async () => {
  const page = await ui.open("/runs?agent=dev-agent");
  await count(page, "1 run: 1 failed").waitFor();
  await page.getByRole("button", { name: /Pause/ }).click();
  await ui.served.send("dev-json.agents-sdk");
  await page.getByRole("button", { name: "1 new" }).waitFor();
  await expect.poll(() => page.locator("a.run-row").count()).toBe(1);
  await page.getByRole("button", { name: "1 new" }).click();
  await count(page, "2 runs: 1 failed").waitFor();
  await expect.poll(() => page.locator("a.run-row").count()).toBe(2);
});

test("the page may run only its own files", async () => {
  const answer = await fetch(ui.served.address);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'/);
  expect(policy).not.toMatch(/unsafe|\*|data:|https?:/);
  expect(await answer.text()).not.toMatch(/https?:\/\//);
});
