import { expect, test } from "vitest";
import { chaos } from "./chaos.ts";
import { seeded } from "../fuzz/seeded.ts";

test("killed under load from HTTP and gRPC senders, serve loses no acknowledged span and judges none twice", async () => {
  const report = await chaos({
    kills: 3,
    random: seeded(7),
    longestLifeMs: 800,
    lateWindow: "10m",
    parallel: 2,
    padding: 500,
    forwards: "flapping",
  });

  expect(report).toMatchObject({ missing: [], wrong: [], doubled: [], revised: 0, unsent: 0, unstored: 0 });
  expect(report).toMatchObject({ stopCode: 0, leftBytes: 0 });
  expect(report.account).toMatchObject({ rest: 0, open: 0 });
  expect(report.account.came).toBeGreaterThan(0);
  expect(report.traces).toBeGreaterThan(0);
});
