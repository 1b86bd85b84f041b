import { describe, expect, test } from "vitest";
import type { ReportRun } from "../../src/report/render/html/report-data.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import { rateTable, splits } from "../../ui/src/report/rates.ts";

/** The fields that the table reads. */
function run(id: string, outcome: Outcome, model: string, attributes: object = {}): ReportRun {
  const models = model === "" ? [] : [model];
  return { id, outcome, models, agent: "rag-agent", attributes } as unknown as ReportRun;
}

describe("pass rates by query and model", () => {
  const runs = [
    run("install", "pass", "small"),
    run("install", "warn", "small"),
    run("review", "incomplete", "small"),
    run("weather", "pass", "small"),
    run("weather", "fail", "small"),
    run("weather", "skip", "small"),
    run("weather", "pass", "large"),
    run("weather", "pass", ""),
  ];
  const table = rateTable(runs, "model");
  const cell = (id: string, column: string) => table.rows.find((row) => row.id === id)?.cells.get(column);

  test("are over decided runs; a warning passes, what could not be decided does not count", () => {
    expect(cell("weather", "small")).toMatchObject({ rate: 0.5, decided: 2, total: 3, worst: "fail" });
    expect(cell("install", "small")).toMatchObject({ rate: 1, decided: 2, worst: "warn" });
  });

  test("are unknown, never 0, where no run was decided", () => {
    expect(cell("review", "small")).toMatchObject({ rate: null, decided: 0, total: 1 });
    expect(cell("review", "large")).toBeUndefined();
  });

  test("come with the worst query first, undecided ones before those with warnings", () => {
    expect(table.rows.map(({ id }) => id)).toEqual(["weather", "review", "install"]);
  });

  test("have a column for each model, the most frequent first, and one for unknown models", () => {
    expect(table.columns).toEqual(["small", "large", "unknown"]);
  });

  test("can be split by attributes that have a few values", () => {
    const versions = ["1.0", "1.1"].map((version) =>
      run("weather", "pass", "small", { "service.version": version, region: "eu" }),
    );
    const ids = Array.from({ length: 30 }, (_, n) => run("weather", "pass", "small", { host: `h${n}` }));
    expect(splits([...versions, ...ids])).toEqual(["model", "agent", "service.version"]);
    expect(rateTable(versions, "service.version").columns).toEqual(["1.0", "1.1"]);
  });
});
