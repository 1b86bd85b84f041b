import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** Fills the young generation, and prints its size in MiB at the end. */
const program = (mostMiB: number): string => `
  import { getHeapSpaceStatistics } from "node:v8";
  import { youngGenerationLimit } from "./dist/src/receive/admission/garbage.js";
  const limit = youngGenerationLimit(${mostMiB} * 2 ** 20);
  const kept = [];
  for (let round = 0; round < 60; round++) {
    for (let at = 0; at < 20_000; at++) kept[(round * 7 + at) % 60_000] = { at, list: [round, at] };
    limit();
  }
  console.log(getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size / 2 ** 20);
`;

test("the young generation of a process with little memory stays small", () => {
  const sizeWith = (mostMiB: number): number =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", program(mostMiB)], { encoding: "utf8" }),
    );
  expect(sizeWith(8)).toBeLessThan(sizeWith(1_000));
});
