import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { adapters } from "../../adapters/index.ts";
import { recordingsBelow, requestsOf } from "../../bench/data/real/recordings.ts";
import { loadConfig } from "../../src/config/load.ts";
import { writtenField } from "../../src/config/schema/dialects.ts";
import { isArray, type JsonObject } from "../../src/model/json.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import type { Adapter } from "../../adapters/adapter-type.ts";
import type { DialectTable } from "../../src/runs/facts/dialect-table.ts";
import type { Field } from "../../adapters/field-names.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson } from "../long/runs/records.ts";

/** Three dialects that are tables only, taken out of the adapters and declared in a configuration instead. */
const declared = ["mastra", "langwatch", "voltagent"];

/** The adapter's tables as a configuration has them. */
function configurationOf({ dialect, markers, scopes, roles = {}, fields = {} }: Adapter): string {
  return JSON.stringify({
    dialects: [
      {
        name: dialect,
        markers,
        scopes,
        roles,
        fields: Object.fromEntries(
          Object.entries(fields).map(([field, attributes]) => [writtenField(field as Field), attributes]),
        ),
      },
    ],
  });
}

function tablesOf(adapter: Adapter): readonly DialectTable[] {
  const text = configurationOf(adapter);
  const reader = { read: (path: string) => ({ ok: true, text, realPath: path }) as const };
  const loaded = loadConfig({ files: ["config.yaml"], set: [], env: {}, reader });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join("\n"));
  return loaded.config.dialects;
}

describe.each(declared)("%s, declared in the configuration", (name) => {
  const adapter = adapters.find(({ dialect }) => dialect === name);
  const others = adapters.filter((one) => one !== adapter);
  const recordings = recordingsBelow([
    `adapters/${name}/fixtures`,
    ...globSync([`test/fixtures/recordings/${name}-*`], { onlyDirectories: true, expandDirectories: false }),
  ]);

  it("is tables only", () => {
    const { producers: _, ...tables } = adapter ?? {}; // for `doctor`; nothing is read by them
    expect(Object.keys(tables).sort()).toEqual(["dialect", "fields", "markers", "roles", "scopes"]);
  });

  it.each(recordings)("$name gives the runs that the built-in adapter gives", (recording) => {
    const bodies = requestsOf(recording).map(asJson);
    const runs = (builtIn?: readonly Adapter[], tables?: readonly DialectTable[]) =>
      replayedRuns(bodies, builtIn, tables).map((run) => runJson(run, true));
    const [builtIn, inConfiguration] = [runs(), runs(others, adapter && tablesOf(adapter))];
    expect(inConfiguration.map(sorted)).toEqual(builtIn.map(sorted));
    expect(runs(others)).not.toEqual(builtIn);
  });
});

/** Which dialects a run speaks, whatever their order. */
function sorted(run: JsonObject): JsonObject {
  const { dialects } = run;
  return isArray(dialects) ? { ...run, dialects: dialects.map(String).sort() } : run;
}
