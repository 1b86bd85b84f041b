import { expect, test } from "vitest";
import { reloadUnderLoad } from "./reload-scenario.ts";

test("a running process reloads after changes of files, API requests and signals; broken files are refused, and settings are never mixed", async () => {
  const figures = await reloadUnderLoad(18);
  expect(figures).toMatchObject({ failed: [], mixed: [], wrong: [], changes: 18 });
  expect(figures.broken).toBeGreaterThan(2);
  expect(figures.specs).toBeGreaterThan(4);
  expect(figures.rubrics).toBeGreaterThan(1);
});
