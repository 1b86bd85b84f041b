import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Command, run } from "../../bench/harness/command.ts";
import { conclude, failed } from "../../bench/harness/result.ts";
import { isWanted } from "../../bench/harness/table.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder = "";
let said = "";
let measured: string[] = [];
const exit = process.exitCode;

beforeEach(() => {
  folder = temporaryFolder();
  [said, measured] = ["", []];
  const keep = (text: string | Uint8Array): boolean => {
    said += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exit;
});

/** Two figures: one takes `cost`, the other cannot be measured where that is asked for. */
function command(cost: number, breaks = false): Command {
  return {
    script: "bench:some",
    what: "Some figures.",
    only: "one of near, far",
    prefix: "some.",
    isKnown: (name) => ["some.near", "some.far"].some((figure) => isWanted(figure, [name])),
    own: { largest: { absent: "7", shown: "7", help: "how large" } },
    async measure({ only, rounds, own }, report) {
      measured.push(`${only.join("+")} ${rounds} ${own["largest"]}`);
      const costs = Array.from({ length: rounds }, (_, round) => cost * (1 + round / 200));
      if (isWanted("some.near", only)) report.add([conclude({ name: "some.near", what: "a / b" }, costs)]);
      if (isWanted("some.far", only) && breaks) report.add([failed("some.far", null, new Error("no Go"))]);
      await Promise.resolve();
    },
  };
}

async function asked(cost: number, ...args: string[]): Promise<number> {
  await run(command(cost), args);
  return Number(process.exitCode);
}

const file = (name: string): string => join(folder, name);

describe("a benchmark", () => {
  test("saves its rounds, and compares with them later", async () => {
    expect(await asked(1, "--json", file("old.json"), "--rounds", "9")).toBe(0);
    expect(JSON.parse(readFileSync(file("old.json"), "utf8"))[0].rounds).toHaveLength(9);
    expect(await asked(1.01, "--against", file("old.json"), "--rounds", "9")).toBe(0);
    expect(said).toMatch(/some\.near .* same/);
    expect(await asked(1.5, "--against", file("old.json"), "--json", file("new.json"))).toBe(1);
    expect(said).toMatch(/some\.near .*\+48 % .* worse/);
    expect(said).toMatch(/1 worse, 0 better, 0 same, 0 cannot tell\n$/);
  });

  test("measures once more what looks worse, which is worse when it looks so again", async () => {
    await asked(1, "--json", file("old.json"));
    measured = [];
    const costs = [1.5, 1];
    const once: Command = {
      ...command(1),
      measure: async (given, report) => command(costs.shift() ?? 1).measure(given, report),
    };
    await run(once, ["--against", file("old.json"), "--json", file("new.json")]);
    expect(process.exitCode).toBe(0);
    expect(said).toMatch(/once more, as worse may be chance: some\.near\n/);
    expect(said).toMatch(/some\.near .* cannot tell +worse the first time, and not when/);
    expect(measured).toEqual([" 3 7", "some.near 3 7"]);
    expect(JSON.parse(readFileSync(file("new.json"), "utf8"))[0].value).toBeGreaterThan(1.4);
  });

  test("is worse where it cannot be measured once more", async () => {
    await asked(1, "--json", file("old.json"));
    const once: Command = {
      ...command(1),
      measure: async (given, report) =>
        given.only.length === 0 ? command(1.5).measure(given, report) : undefined,
    };
    await run(once, ["--against", file("old.json")]);
    expect(process.exitCode).toBe(1);
  });

  test("says so when a name stands for nothing after all", async () => {
    expect(await asked(1, "--only", "near.none")).toBe(2);
  });

  test("compares two files and measures nothing", async () => {
    await asked(1, "--json", file("old.json"));
    await asked(2, "--json", file("new.json"));
    measured = [];
    expect(await asked(1, "--compare", file("old.json"), file("new.json"))).toBe(1);
    expect(await asked(1, "--compare", file("new.json"), file("old.json"), "--only", "near")).toBe(0);
    expect(said).toMatch(/ better\n/);
    expect(measured).toEqual([]);
  });

  test("takes the names of its figures without what they all begin with", async () => {
    await asked(1, "--only", "near", "--only", "some.far", "--largest", "9", "--rounds", "2");
    expect(measured).toEqual(["some.near+some.far 2 9"]);
  });

  test("ends with 1 when a figure cannot be measured", async () => {
    await run(command(1, true), []);
    expect(process.exitCode).toBe(1);
  });

  test("tells what can be asked", async () => {
    expect(await asked(1, "--help")).toBe(0);
    for (const word of ["--only", "--against FILE", "--compare OLD NEW", "--largest 7", "Some figures."])
      expect(said).toContain(word);
    expect(measured).toEqual([]);
  });

  test.each([
    [["--only", "fra"], /--only fra: there is none.*one of near, far/],
    [["--only", "near", "--only", "fra"], /--only fra: there is none/],
    [["--rounds", "none"], /--rounds none: it takes a whole number from 1 on/],
    [["--rounds", "0"], /--rounds 0/],
    [["--margin", "-1"], /--margin/],
    [["--agianst", "x"], /--agianst/],
    [["old.json"], /old\.json belongs to no option/],
    [["--compare", "old.json"], /--compare takes two files, OLD and NEW, and not 1/],
    [["--against", "no/such.json"], /no\/such\.json: cannot be read/],
    [["--compare", "no/such.json", "no/other.json"], /no\/such\.json: cannot be read/],
  ])("says of %j what is wrong with it, and measures nothing", async (args, message) => {
    expect(await asked(1, ...args)).toBe(2);
    expect(said).toMatch(message);
    expect(measured).toEqual([]);
  });

  test.each([
    ["", /bad\.json: cannot be read/],
    ['[{"name"', /bad\.json: cannot be read/],
    ["{}", /at the top: .*--json/],
    ["[]", /at the top: .*--json/],
    ['[{"name":1}]', /bad\.json: at \[0\]\.name: .*--json/],
  ])("ends with 2 for a file that is no saved run: %s", async (text, message) => {
    writeFileSync(file("bad.json"), text);
    expect(await asked(1, "--against", file("bad.json"))).toBe(2);
    expect(said).toMatch(message);
  });
});
