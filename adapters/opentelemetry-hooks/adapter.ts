import type { Adapter, JsonValue, SpanFacts } from "../adapter-type.ts";
import { contentEvidence } from "../producer-type.ts";
import { rolesOf } from "../tables.ts";

/** The program `opentelemetry-hooks`, which makes a span of each hook of a coding agent. */
export const opentelemetryHooks: Adapter = {
  dialect: "opentelemetry-hooks",
  markers: ["gen_ai.client.hook.event"],
  scopes: ["ide-hooks"],
  roles: { "gen_ai.client.hook.event": rolesOf({ step: "PermissionRequest" }) },
  // The prompt and the end of a turn are hooks; model calls are none.
  inParts: true,
  derive: {
    // The service has the same name for all coding agents.
    agent: ({ span }) => span.named("gen_ai.client.name"),
    result: joined,
  },
  producers: [
    {
      name: "OpenTelemetry Hooks",
      scopes: ["ide-hooks"],
      switches: [
        {
          gives: contentEvidence,
          set: "IDE_OTEL_CAPTURE_CONVERSATION_CONTENT, IDE_OTEL_CAPTURE_TEXT and IDE_OTEL_CAPTURE_TOOL_INPUT_CONTENT: true in otel_config.json",
        },
      ],
      cannot: [{ what: "usage", why: "hooks get no token counts" }],
      page: "coding.md",
    },
  ],
};

const response = "gen_ai.client.tool.response.";

/** Returns the tool's result, which has an attribute for each of its keys. Of a text, only length and hash are there. */
function joined({ span }: SpanFacts): JsonValue | undefined {
  const names = span.keys().filter((name) => name.startsWith(response));
  if (names.length === 0 || names.includes(`${response}sha256`)) return undefined;
  return Object.fromEntries(names.map((name) => [name.slice(response.length), span.named(name) ?? null]));
}
