import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { headerName, text } from "./values.ts";

export const journal = z.strictObject({
  durability: z
    .enum(["fsync", "flush", "memory"])
    .describe(
      "When a sender gets its response. fsync: after the request is on disk; flush: after the request is in the operating system's cache; memory: at once, and no journal is written",
    )
    .default("flush"),
  budget: size({ min: "1MiB" }).describe("Disk space for the journal").default("2GiB"),
});

export const limits = z.strictObject({
  memory: size({ min: "32MiB" })
    .describe(
      "Memory of the process. Near the limit, Tracejury closes traces early and refuses requests with a retryable error",
    )
    .default("512MiB"),
  tenant_header: headerName
    .describe(
      "Header with the name of the tenant that sent a request. Let a gateway set the header, because senders could forge it. Near the memory limit, requests of tenants that use more than an equal share of the memory are refused. Default: each credential is a tenant",
    )
    .exactOptional(),
});

export const store = z.strictObject({
  mode: z
    .enum(["auto", "sqlite", "memory", "postgres"])
    .describe(
      "auto: an SQLite file if a driver is available, otherwise memory; sqlite: an SQLite file, and no start without a driver; memory: the newest runs and verdicts, until the process ends; postgres: the database at store.url, shared by several processes",
    )
    .default("auto"),
  path: text.describe("Database file. Default: store.db in data_dir").exactOptional(),
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "an address such as postgres://user:password@host:5432/database")
    .describe("Database for store.mode: postgres, such as ${env:NAME}")
    .exactOptional(),
  tls: z
    .enum(["auto", "verify", "encrypt", "off"])
    .describe(
      "TLS to the database. verify: checks the certificate; encrypt: does not check it; auto: as `ssl…` parameters of store.url define; without them, off for loopback and sockets, otherwise verify",
    )
    .default("auto"),
  ca_file: text
    .describe("PEM file of the certificate authorities. Default: those of Node.js")
    .exactOptional(),
  telemetry: z
    .boolean()
    .describe(
      "Stores the original telemetry of runs, for the page and for commands that read runs from the collector",
    )
    .default(true),
  max_age: duration({ min: "1h" })
    .describe("Age of the last verdict at which a run is deleted")
    .default("30d"),
  max_size: size({ min: "1MiB" })
    .describe(
      "If the store is larger, its oldest runs are deleted; without effect on PostgreSQL. With store.mode: memory, the limit is the smallest of this size, 128 MiB and a quarter of limits.memory",
    )
    .default("2GiB"),
  max_per_second: z
    .int()
    .min(1)
    .describe(
      "Maximum average number of runs that are stored per second. The limit applies separately to runs with a failed, warned or undecided check, and to all other runs. Runs above the limit are counted, but not stored",
    )
    .default(500),
});

export const changes = z.strictObject({
  every: duration({ min: "1s", max: "7d" })
    .describe(
      "Interval of the statistical tests for changes. Each test covers the last 30 days of each query. Shorter intervals cause more false alarms",
    )
    .default("1d"),
});
