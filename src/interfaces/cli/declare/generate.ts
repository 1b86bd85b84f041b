import { readFileSync, writeFileSync } from "node:fs";
import { configJsonSchema } from "../../../config/reference/json-schema.ts";
import { renderConfigReference } from "../../../config/reference/reference.ts";
import { processIo } from "../../../support/process/io.ts";
import { createProgram } from "../main.ts";
import { renderDialects } from "./dialects-page.ts";
import { renderCommandReference } from "./reference.ts";
import { checks } from "../../../evaluate/checks/registry.ts";
import { verdictJsonSchema, verdictMessageJsonSchema } from "../../../report/json/verdict-schema.ts";
import { specJsonSchema } from "../../../spec/reference/json-schema.ts";
import { renderSpecReference } from "../../../spec/reference/reference.ts";
import { renderTelemetryReference } from "../../../support/telemetry/reports/reference.ts";

/*
 * `npm run generate` writes all files that are generated from the code, relative to the working directory. A
 * test fails if such a file is out of date.
 */

const generated: readonly (readonly [file: string, content: () => string])[] = [
  ["config/spec.schema.json", () => json(specJsonSchema(checks))],
  ["config/config.schema.json", () => json(configJsonSchema())],
  ["config/verdict.schema.json", () => json(verdictJsonSchema())],
  ["config/verdict-message.schema.json", () => json(verdictMessageJsonSchema())],
  ["docs/configuration.md", renderConfigReference],
  ["docs/spec.md", () => renderSpecReference(checks)],
  ["docs/commands.md", () => renderCommandReference(createProgram(processIo(), () => undefined))],
  ["docs/dialects.md", renderDialects],
  ["docs/telemetry.md", () => renderTelemetryReference(readFileSync("docs/telemetry.yaml", "utf8"))],
];

for (const [file, content] of generated) writeFileSync(file, content());

function json(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}
