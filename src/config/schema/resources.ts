import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { headerName, text } from "./values.ts";

export const journal = z.strictObject({
  durability: z
    .enum(["fsync", "flush", "memory"])
    .describe(
      "When a request is acknowledged: after the disk has it (fsync), after the operating system has it (flush), or without a journal (memory)",
    )
    .default("flush"),
  budget: size({ min: "1MiB" }).describe("Disk space for the journal").default("2GiB"),
});

export const limits = z.strictObject({
  memory: size({ min: "32MiB" })
    .describe(
      "Memory of the process. Near the limit, traces are closed early, and requests are rejected with a status that clients retry",
    )
    .default("512MiB"),
  tenant_header: headerName
    .describe(
      "Header that names the tenant of a request. If memory is short, each tenant gets an equal share. A gateway must set the header, not the senders. By default, each credential is a tenant",
    )
    .exactOptional(),
});

export const store = z.strictObject({
  mode: z
    .enum(["auto", "sqlite", "memory", "postgres"])
    .describe(
      "auto: an SQLite file, if a driver is available; memory: the last verdicts only; postgres: the database at store.url, which several processes can share",
    )
    .default("auto"),
  path: text.describe("Database file. Default: store.db in data_dir").exactOptional(),
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "an address such as postgres://user:password@host:5432/database")
    .describe("Database for store.mode: postgres, usually from the environment: ${env:NAME}")
    .exactOptional(),
  tls: z
    .enum(["auto", "verify", "encrypt", "off"])
    .describe(
      "TLS to the database. verify: checks the certificate; encrypt: does not check the certificate; auto: verify, but off for loopback and sockets",
    )
    .default("auto"),
  ca_file: text
    .describe("Certificate authorities for the database, PEM. Default: the authorities of the system")
    .exactOptional(),
  telemetry: z
    .boolean()
    .describe("Stores the original telemetry of runs, so that runs can be shown and judged again")
    .default(true),
  max_age: duration({ min: "1h" })
    .describe("Deletes runs whose last verdict is older than this")
    .default("30d"),
  max_size: size({ min: "1MiB" })
    .describe("Largest size of the store. Above this size, the oldest runs are deleted")
    .default("2GiB"),
  max_per_second: z
    .int()
    .min(1)
    .describe("Most runs that are stored per second. Further runs are dropped and counted, passed runs first")
    .default(500),
});

export const changes = z.strictObject({
  every: duration({ min: "1s", max: "7d" })
    .describe(
      "How often the last 30 days of each query are tested for a change. More often than daily causes more false alarms",
    )
    .default("1d"),
});
