import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { document, span } from "../support/otlp.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();

beforeAll(() => {
  writeFileSync(
    join(folder, "spec.yaml"),
    `agent: shop-agent
queries:
  - { id: by-id, query: "a text that nobody asks" }
  - { id: prod, query: Hello, match: { where: { tenant.id: acme } } }
  - { id: rest, query: "*" }
`,
  );
});

type Attributes = Readonly<Record<string, string>>;

/** Which query a run is about, and how it was found. */
async function matchOf(attributes: Attributes, resource: Attributes = {}): Promise<string> {
  const root = span("root", undefined, "invoke_agent shop-agent", 0, 100, {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "shop-agent",
    "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [{ type: "text", content: "Hello" }] }]),
    ...attributes,
  });
  const dump = join(folder, "run.json");
  writeFileSync(
    dump,
    JSON.stringify(document([root], { resource: { "service.name": "shop", ...resource } })),
  );
  const { stdout } = await runCli("test", dump, "--spec", join(folder, "spec.yaml"), "--format", "json");
  const { verdicts } = JSON.parse(stdout) as { verdicts: { query_id: string; match: { how: string } }[] };
  return verdicts.map((verdict) => `${verdict.match.how} ${verdict.query_id}`).join(", ");
}

describe("a run finds its query", () => {
  test("by the id on its span, or its resource", async () => {
    expect(await matchOf({ "tracejury.query.id": "by-id" })).toBe("id by-id");
    expect(await matchOf({}, { "tracejury.query.id": "by-id" })).toBe("id by-id");
  });

  test("by any attribute that the spec asks for, without naming it in the configuration", async () => {
    expect(await matchOf({ "tenant.id": "acme" })).toBe("exact prod");
    expect(await matchOf({ "tenant.id": "other" })).toBe("wildcard rest");
    expect(await matchOf({})).toBe("wildcard rest");
  });
});
