import type { Adapter } from "../src/adapt/adapter.ts";
import { openinference } from "./openinference/adapter.ts";
import { openllmetry } from "./openllmetry/adapter.ts";
import { otelGenai } from "./otel-genai/adapter.ts";

/** All adapters. Where several dialects say what kind of span one is, the earlier one here is believed. */
export const adapters: readonly Adapter[] = [openinference, otelGenai, openllmetry];
