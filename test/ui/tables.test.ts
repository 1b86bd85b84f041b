import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultsInWindows } from "./looked-at.ts";
import { openPage } from "./open-page.ts";
import { serveFile, shownBy } from "./served.ts";
import { fillTableStore, specWithTable } from "./table-store.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ui = shownBy(() => {
  const path = join(temporaryFolder(), "store.db");
  fillTableStore(path, Date.now());
  return serveFile(path, { specs: [specWithTable()] });
});

describe("a table of 320 rows", () => {
  test("home: failing rows with the same checks are one group, with its rows and their lines", async () => {
    const page = await ui.open("/");
    const failing = page.getByRole("region", { name: "Failing now" });
    await failing.getByText("3 groups, 55 verdicts").waitFor();
    await page.getByText("51 queries affected").waitFor();
    const groups = failing.locator("li.group");
    const texts = await groups.allTextContents();
    expect(texts[0]).toMatch(
      /specs\/cases\.csv.*e\.g\. case-300 · line 301.*47 rows.*expected_in_answer of a run.*47 of 280 verdicts16\.8 %/,
    );
    expect(texts[1]).toMatch(/about refund.*5 of 8 verdicts/);
    expect(texts[2]).toMatch(
      /specs\/cases\.csv.*e\.g\. case-207 · line 208.*3 rows.*3 of 280 verdicts1\.1 %/,
    );
    const first = groups.first();
    await first.getByText("47 rows").click();
    await expect.poll(() => first.locator("details li").count()).toBe(20);
    await first.getByRole("button", { name: "27 more rows" }).click();
    await expect.poll(() => first.locator("details li").count()).toBe(47);
    await expect
      .poll(() => first.locator("details li").first().textContent())
      .toMatch(/case-6 specs\/cases\.csv:7 run/);
    await first.getByRole("link", { name: "47 of 280 verdicts" }).click();
    await page.getByText("Only the rows of specs/cases.csv").waitFor();
  });

  test("home: worst queries and what changed name the table once", async () => {
    const page = await ui.open("/");
    const worst = page.getByRole("region", { name: "Worst queries" });
    await worst.getByRole("row").nth(2).waitFor();
    const rows = (await worst.getByRole("row").allTextContents()).slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/^refund37\.5 %.*flaky$/);
    expect(rows[1]).toMatch(/^280 rows of cases\.csv82\.1 %.*280▲ some fail$/);
    await worst.getByRole("link", { name: "1 more query" }).waitFor();
    const changed = page.getByRole("region", { name: "What changed" });
    await changed.getByText(/^4 new queries fail, 16 queries are new, 20 queries are gone/).waitFor();
    const changes = (await changed.locator("table").first().getByRole("row").allTextContents()).slice(1);
    expect(changes).toHaveLength(3);
    expect(changes.join("\n")).toMatch(/^4 rows of cases\.csvpass rateno run.*new✗ fails/);
    expect(changes.join("\n")).toMatch(/^20 rows of cases\.csvpass rate.*no rungone○ no run/m);
    expect(changes.join("\n")).toMatch(/^16 rows of cases\.csv.*new✓ passes/m);
  });

  test("queries: one line for the table, which unfolds to its rows, the worst first, and has an address", async () => {
    const page = await ui.open(`/queries`);
    const rows = page.locator(".query-row:not(.head)");
    await rows.nth(2).waitFor();
    await expect.poll(() => rows.count()).toBe(3);
    const table = page.getByRole("button", { name: "specs/cases.csv" });
    await expect
      .poll(() => rows.nth(1).textContent())
      .toMatch(/230 of 280 rows passed every run, 40 more had no run/);
    await table.click();
    await expect.poll(() => rows.count()).toBe(3 + 20 + 1);
    await page.getByRole("button", { name: "260 more rows" }).click();
    await expect.poll(() => rows.count()).toBe(3 + 280);
    await expect.poll(() => rows.nth(2).textContent()).toMatch(/^case-\d+cases\.csv:\d+ · Question \d+\?0 %/);
    const unfolded = await openPage(ui.browser, page.url());
    await unfolded.getByRole("button", { name: "260 more rows" }).waitFor();
    await unfolded.getByText(/Coverage: \d+ of \d+ queries of the specs had runs/).click();
    await unfolded.getByText("faq / specs/cases.csv").waitFor();
    await expect.poll(() => unfolded.getByText("faq / case-270").isVisible()).toBe(false);
  });

  test("queries: the address of a row opens it within its table, also where it would be folded", async () => {
    const key = encodeURIComponent(JSON.stringify(["faq", "case-250"]));
    const page = await ui.open(`/queries?open=${key}`);
    const row = page.getByRole("button", { name: "case-250", exact: true });
    await row.waitFor();
    await expect.poll(() => row.getAttribute("aria-expanded")).toBe("true");
    await page.getByText("Last failures").waitFor();
  });

  test("compare: the table is one line, which unfolds to its rows, the worst first", async () => {
    const page = await ui.open(`/compare?a_since=48h&a_until=24h&b_since=24h`);
    const rows = page.getByRole("region", { name: "Table by query" }).getByRole("row");
    await page.getByRole("button", { name: "260 rows of cases.csv" }).waitFor();
    await expect.poll(() => rows.count()).toBe(1 + 3);
    const table = rows.filter({ hasText: "260 rows" });
    await expect
      .poll(() => table.textContent())
      .toMatch(/^260 rows of cases\.csv 260 \/ 260100 % → 82\.\d %/);
    await page.getByRole("button", { name: "260 rows of cases.csv" }).click();
    await expect.poll(() => rows.count()).toBe(1 + 3 + 20 + 1);
    await page.getByRole("button", { name: "240 more rows" }).click();
    await expect.poll(() => rows.count()).toBe(1 + 3 + 260);
  });

  test("home: lasting changes of rows that went the same way are one line, which unfolds", async () => {
    const page = await openPage(ui.browser, "about:blank");
    const changes = ["case-6", "case-12", "refund"].map((id) => ({
      change_id: id,
      spec: "faq",
      query_id: id,
      measure: "latency",
      worse: true,
      text: "latency rose from 1 s to 2 s",
    }));
    await page.route("**/api/v1/level-changes*", (route) => route.fulfill({ json: { changes } }));
    await page.goto(ui.served.address);
    const levels = page.getByRole("region", { name: "Since when" });
    await levels.getByText("3 lasting changes in 30 days").waitFor();
    await levels.getByRole("link", { name: "2 rows of cases.csv" }).waitFor();
    await expect.poll(() => levels.getByRole("row").count()).toBe(1 + 2);
    await levels.getByText("e.g. case-6: latency rose").click();
    await levels.getByRole("link", { name: "case-12", exact: true }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/queries");
  });

  test("runs: queries can be searched, and rows are folded beneath the queries that the spec writes", async () => {
    const page = await ui.open(`/runs`);
    const queries = page.getByRole("group", { name: "Query" });
    await queries.getByText("300 rows").waitFor();
    await expect.poll(() => queries.getByRole("checkbox").count()).toBe(2);
    await queries.getByText("300 rows").click();
    await expect.poll(() => queries.getByRole("checkbox").count()).toBe(2 + 6);
    await queries.getByRole("searchbox", { name: "Find a query" }).fill("case-29");
    await queries.getByRole("checkbox", { name: /case-299/ }).waitFor({ state: "detached" });
    await queries.getByRole("button", { name: /^\d+ more$/ }).click();
    await queries.getByRole("checkbox", { name: /case-299/ }).check();
    await page
      .getByRole("status")
      .getByText(/^1 run/)
      .waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.getAll("query")).toEqual(["case-299"]);
  });

  const table = encodeURIComponent(JSON.stringify(["faq", "specs/cases.csv", "rows"]));
  test.each([
    "/",
    `/queries?table=${table}`,
    "/queries",
    "/runs?query=case-299",
    "/compare?a_since=48h&a_until=24h&b_since=24h",
  ])("nothing keeps people out: %s", async (path) => {
    const faults = await faultsInWindows(ui.browser, `${ui.served.address}${path}`, async (page) => {
      for (const rows of await page.locator(".group-rows").all())
        if ((await rows.getAttribute("open")) === null) await rows.locator("summary").first().click();
    });
    expect(faults).toEqual([]);
  });
});
