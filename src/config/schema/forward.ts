import { z } from "zod";
import { configuredDefaults as defaults } from "../../export/queue/backend-down.ts";
import { outcomes } from "../../model/outcome.ts";
import { duration, size } from "../quantities.ts";
import { endpoint, headerName, headers } from "./values.ts";

/** Headers that apply only to one connection, and cannot be forwarded. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "grpc-encoding",
  "grpc-timeout",
  "host",
  "keep-alive",
  "te",
  "tracejury-hops",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);

const keep = z.strictObject({
  outcomes: z
    .array(z.enum(outcomes))
    .describe("Forwards traces with a verdict of one of these outcomes")
    .default(["fail", "error", "incomplete", "warn"]),
  errors: z.boolean().describe("Forwards traces with a failed span").default(true),
  slow: duration({ min: "1ms" }).describe("Forwards traces that took at least this long").exactOptional(),
  share: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "Share, 0 to 1, that is forwarded of the traces that no other key of `keep` selects. A hash of the id of the run's first trace decides, so that all traces of a run get the same decision",
    )
    .default(0),
});

const hold = z.strictObject({
  max_wait: duration({ min: "100ms", max: "1h" })
    .describe(
      "Maximum time to hold a trace. The trace is then forwarded with the verdicts known so far, whatever `keep` selects",
    )
    .default("30s"),
  events: z.boolean().describe("Adds verdicts as span events to the judged root span").default(true),
  keep: keep.describe("Which traces are forwarded. Default: all").exactOptional(),
});

export const forward = z.strictObject({
  endpoint: endpoint.describe(
    "Base address of an OTLP backend that receives the telemetry of the OTLP ports",
  ),
  protocol: z
    .enum(["http", "grpc"])
    .describe("OTLP/HTTP (/v1/traces and the like are appended to the endpoint) or OTLP/gRPC")
    .default("http"),
  headers: headers
    .describe(
      "Headers to add. An added header takes precedence over a header of the same name in `pass_headers`",
    )
    .default({}),
  pass_headers: z
    .array(
      headerName.refine(
        (name) => !ownHeaders.has(name.toLowerCase()),
        "is set by Tracejury and cannot be passed on",
      ),
    )
    .describe("Headers of the sender to forward, such as authorization")
    .default([]),
  timeout: duration({ min: "100ms", max: "5m" })
    .describe("Time-out of one attempt of a request")
    .default(defaults.attemptTimeout),
  queue: size({ min: "1MiB" })
    .describe(
      "Size of the queue for an unreachable backend, on disk; with journal.durability: memory, in memory and at most 64 MiB",
    )
    .default(defaults.forwardQueue),
  max_elapsed: duration({ min: "1s", max: "7d" })
    .describe("Time after which a failing request is dropped, if other requests succeed in this time")
    .default(defaults.forwardMaxElapsed),
  hold: hold
    .describe("Holds each trace until its verdict (tail-based forwarding). Default: forwarded at once")
    .exactOptional(),
});
