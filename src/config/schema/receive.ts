import { z } from "zod";
import { size } from "../quantities.ts";
import { address } from "./values.ts";

export const receive = z.strictObject({
  http: address
    .describe("OTLP/HTTP listens here; port 0 is any free one, off is none")
    .default("127.0.0.1:4318"),
  grpc: address
    .describe("OTLP/gRPC listens here; each of the two ports takes both protocols")
    .default("127.0.0.1:4317"),
  max_body: size({ min: "1KiB", max: "1GiB" })
    .describe("Largest request, on the wire and inflated")
    .default("64MiB"),
});
