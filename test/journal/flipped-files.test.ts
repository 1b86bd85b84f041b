import { expect, test } from "vitest";
import { seeded } from "../fuzz/seeded.ts";
import { flipFiles } from "./flipped-files.ts";

test("a flipped bit in a journal or queue costs at most its own record, and is reported", async () => {
  const found = await flipFiles(150, seeded(3));

  expect(found.wrong).toEqual([]);
  expect(found.costly).toBeGreaterThan(50);
  expect(found.reported).toBeGreaterThanOrEqual(found.costly);
});
