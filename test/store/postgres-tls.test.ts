import { expect, onTestFinished, test, vi } from "vitest";
import { openPool } from "../../src/store/postgres/connection.ts";

test.each([
  ["postgres://localhost/db", undefined, false],
  ["postgres://127.0.0.1/db", undefined, false],
  ["postgres:///db", undefined, false],
  ["postgres:///db?host=/run/postgresql", undefined, false],
  ["postgres:///db", "db.example.com", true],
  ["postgres://localhost/db", "db.example.com", false],
  ["postgres://db.example.com/db", undefined, true],
  ["postgres:///db?host=db.example.com", undefined, true],
])("%s with PGHOST %s is encrypted and verified: %s", async (url, host, isEncrypted) => {
  vi.stubEnv("PGHOST", host);
  onTestFinished(() => void vi.unstubAllEnvs());
  const settings = { url, tls: "auto", caFile: null, workerFile: null } as const;
  const pool = await openPool({ settings, most: 1, statementMs: 1_000 });
  onTestFinished(() => pool.end());
  expect(pool.options.ssl).toEqual(isEncrypted ? { rejectUnauthorized: true } : false);
});
