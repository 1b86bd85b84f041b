import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { halfOf } from "../long/reader/recording-sets.ts";

const root = "test/fixtures/recordings";
const split = JSON.parse(readFileSync(`${root}/split.json`, "utf8")) as Record<"seen" | "checked", string[]>;

test("each producer is in the half that the hash of its name says", () => {
  expect(split.seen.filter((folder) => halfOf(folder) !== "seen")).toEqual([]);
  expect(split.checked.filter((folder) => halfOf(folder) !== "checked")).toEqual([]);
});

test("each folder of recordings is in one half", () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const all = [...split.seen, ...split.checked];
  const missing = folders
    .filter(({ name }) => all.filter((one) => one === name).length !== 1)
    .map(({ name }) => `add ${name} to ${halfOf(name)}`);
  expect(missing).toEqual([]);
});
