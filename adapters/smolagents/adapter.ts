import type { Adapter } from "../adapter-type.ts";

/** Hugging Face's smolagents, as OpenInference records it. */
export const smolagents: Adapter = {
  dialect: "smolagents",
  markers: ["smolagents.max_steps", "smolagents.tools_names"],
  scopes: ["openinference.instrumentation.smolagents"],
  wrappedQuery: [/^New task:\n([\s\S]+)$/],
};
