import { join } from "node:path";
import { expect, test } from "vitest";
import { fillStore } from "./filled-store.ts";
import { serveFile, shownBy } from "./served.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ui = shownBy(async () => {
  const path = join(temporaryFolder(), "store.db");
  await fillStore(path, {
    runs: 300,
    hours: 47,
    nowMs: Date.now(),
    newVersionHours: 24,
    newQueries: ["fix-test", "aws"],
    goneQueries: ["cancel"],
  });
  return serveFile(path);
});

test("a query that fails today and was absent yesterday is new and comes first; one that is absent today is gone", async () => {
  const page = await ui.open("/");
  const changed = page.getByRole("region", { name: "What changed" });
  await changed
    .getByText(/^1 new query fails, \d+ (query is|queries are) new, 1 query is gone, 2 queries got slower\.$/)
    .waitFor();
  const texts = (await changed.locator("table").first().getByRole("row").allTextContents()).slice(1);
  expect(texts[0]).toMatch(/^fix-testpass rateno run0 %, \d+ runsnew✗ fails–$/);
  expect(texts.join("\n")).toMatch(/^cancelpass rate100 %, \d+ runsno rungone○ no run–$/m);
});

test.each([
  ["2880m", "last 2 days"],
  ["90m", "last 90 minutes"],
  ["48h", "last 2 days"],
])("the time of the address %s reads %s", async (since, words) => {
  const page = await ui.open(`/?since=${since}`);
  await page.getByRole("status").getByText(words).waitFor();
  await expect.poll(() => page.getByLabel("Time range").locator("option:checked").textContent()).toBe(words);
  await expect.poll(() => page.getByRole("main").textContent()).not.toMatch(/\d+m\b/);
});
