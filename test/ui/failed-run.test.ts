import { expect, test } from "vitest";
import { serve, shownBy } from "./served.ts";

const ui = shownBy(async () => {
  const served = await serve();
  await served.send("../failed-runs/dev-llm-error.agents-sdk");
  return served;
});

const error = /maximum context length is 128000 tokens/;

test("the error of a run is the reason in its line of the list, and above the figures of its page", async () => {
  const answer = await fetch(`${ui.served.address}/api/v1/runs`);
  const { runs } = (await answer.json()) as { runs: { error: string }[] };
  expect(runs).toMatchObject([{ error: expect.stringMatching(error) }]);

  const page = await ui.open(`/runs`);
  const row = page.getByRole("link", { name: /Review the whole repository/ });
  await expect.poll(() => row.locator(".c-query").innerText()).toBe("Review the whole repository");
  await expect.poll(() => row.locator(".c-why").innerText()).toMatch(/^Error getting response/);

  await row.click();
  const header = page.locator(".run-header");
  await header.getByText("The run ended in an error. The telemetry has no answer.").waitFor();
  const text = await header.innerText();
  expect(text).toMatch(error);
  expect(text.search(error)).toBeLessThan(text.indexOf("has no answer"));
});
