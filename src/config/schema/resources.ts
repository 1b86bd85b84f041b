import { z } from "zod";
import { duration, size } from "../quantities.ts";
import { headerName, text } from "./values.ts";

export const journal = z.strictObject({
  durability: z
    .enum(["fsync", "flush", "memory"])
    .describe("When a request counts as kept: on the disk, handed to the system, or not kept at all")
    .default("flush"),
  budget: size({ min: "1MiB" }).describe("Disk space for the journal").default("2GiB"),
});

export const limits = z.strictObject({
  memory: size({ min: "32MiB" })
    .describe(
      "Memory of the process: near it traces are closed early, and requests refused, to be sent again",
    )
    .default("512MiB"),
  tenant_header: headerName
    .describe(
      "Names who a request is from, so that short of memory each gets an equal share; by credential when absent. Set by a gateway, not by senders",
    )
    .exactOptional(),
});

export const store = z.strictObject({
  mode: z
    .enum(["auto", "sqlite", "memory", "postgres"])
    .describe(
      "auto: in an SQLite file where there is a driver; memory: only the last verdicts; postgres: in the database at store.url, which several processes may share",
    )
    .default("auto"),
  path: text.describe("The file; absent: store.db in data_dir").exactOptional(),
  url: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "an address such as postgres://user:password@host:5432/database")
    .describe("The database for store.mode: postgres, mostly from the environment: ${env:NAME}")
    .exactOptional(),
  tls: z
    .enum(["auto", "verify", "encrypt", "off"])
    .describe(
      "To the database. verify: its certificate is checked; encrypt: it is not; auto: verify, but off for loopback and sockets",
    )
    .default("auto"),
  ca_file: text
    .describe("Authorities of the database's certificate, PEM; absent: the usual ones")
    .exactOptional(),
  telemetry: z
    .boolean()
    .describe("Keeps the telemetry of runs as it came, so that they can be looked at and judged again")
    .default(true),
  max_age: duration({ min: "1h" }).describe("Runs not judged for longer are deleted").default("30d"),
  max_size: size({ min: "1MiB" }).describe("Beyond it the oldest runs are deleted").default("2GiB"),
  max_per_second: z
    .int()
    .min(1)
    .describe("Runs kept in a second; above it some are left out and counted, those that passed first")
    .default(500),
});

export const changes = z.strictObject({
  every: duration({ min: "1s", max: "7d" })
    .describe(
      "How often the last thirty days of each query in the store are looked at for a change; more often than daily finds more that is chance",
    )
    .default("1d"),
});
