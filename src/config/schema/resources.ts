import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { headerName, text } from "./values.ts";

export const journal = z.strictObject({
  durability: z
    .enum(["fsync", "flush", "memory"])
    .describe(
      "When a sender gets its response. fsync: the request is on disk; flush: the operating system has it; memory: at once, without a journal",
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
      "Header that names the tenant of a request, set by a gateway because senders could forge it. Near the memory limit, a tenant above its equal share is refused. Default: each credential is a tenant",
    )
    .exactOptional(),
});

export const store = z.strictObject({
  mode: z
    .enum(["auto", "sqlite", "memory", "postgres"])
    .describe(
      "auto: an SQLite file if a driver is available, otherwise memory; sqlite: refuse to start without a driver; memory: the newest runs and verdicts, until the process ends; postgres: the database at store.url, shared by several processes",
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
  max_age: duration({ min: "1h" }).describe("Deletes runs whose last verdict is older").default("30d"),
  max_size: size({ min: "1MiB" })
    .describe(
      "Deletes the oldest runs above this size; without effect on PostgreSQL. In memory, the limit is at most 128 MiB and a quarter of limits.memory",
    )
    .default("2GiB"),
  max_per_second: z
    .int()
    .min(1)
    .describe(
      "Maximum number of runs stored per second, as an average: of runs with a failed, warned or undecided check, and separately of all others; further runs are only counted",
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
