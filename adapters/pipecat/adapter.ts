import type { Adapter, SpanFacts } from "../adapter-type.ts";

/** Pipecat: voice pipelines. */
export const pipecat: Adapter = {
  dialect: "pipecat",
  scopes: ["pipecat", "pipecat.turn"],
  names: [
    { pattern: /^conversation$/, role: "session" },
    { pattern: /^turn$/, role: "step" },
    { pattern: /^(?:stt|tts)$/, role: "step" },
  ],
  fields: { conversation: ["conversation.id"] },
  // After the first reply, the service writes the response model into the attribute for the requested model.
  derive: { requestModel, responseModel },
  producers: [{ name: "Pipecat", scopes: ["pipecat", "pipecat.turn"], switches: [], page: "pipecat.md" }],
};

function requestModel({ span }: SpanFacts): string | undefined {
  return textOf(span.named("param.model"));
}

function responseModel({ span }: SpanFacts): string | undefined {
  const asked = textOf(span.named("param.model"));
  const reported = textOf(span.named("gen_ai.request.model"));
  return asked === undefined || reported === asked ? undefined : reported;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
