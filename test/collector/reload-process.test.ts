import { expect, test } from "vitest";
import { reloadUnderLoad } from "./reload-scenario.ts";

test("a running process follows its files, the API and signals; what is broken is refused, nothing is mixed", async () => {
  const figures = await reloadUnderLoad(18);
  expect(figures).toMatchObject({ failed: [], mixed: [], wrong: [], changes: 18 });
  expect(figures.broken).toBeGreaterThan(2);
  expect(figures.specs).toBeGreaterThan(4);
  expect(figures.rubrics).toBeGreaterThan(1);
});
