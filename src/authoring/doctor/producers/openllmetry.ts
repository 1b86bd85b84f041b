import type { Producer } from "./producer.ts";
import { traceloop } from "./switches.ts";

/** Traceloop's OpenLLMetry. */
export const openLlmetry: readonly Producer[] = [
  {
    name: "OpenLLMetry",
    scopes: ["@traceloop/*", "traceloop.tracer"],
    switches: traceloop,
    page: "openllmetry.md",
  },
  {
    name: "OpenLLMetry (Python)",
    scopes: ["opentelemetry.instrumentation.*"],
    dialects: ["openllmetry"],
    switches: traceloop,
    page: "openllmetry.md",
  },
];
