import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redactor } from "../../../src/support/redact/redactor.ts";
import { reportedOutputs, servedOutputs } from "../../redact/outputs.ts";
import { inContext, type SecretVector, textsOf } from "../../redact/secret-sample.ts";

/*
 * npm run long -- secrets [dumps]: a thousand generated secrets that gitleaks or detect-secrets report, on all outputs; and how many
 * texts of recorded runs (the repository's, or a folder of dumps) change although nothing is to be redacted there.
 *
 * Needs Python 3.11 with detect-secrets 1.5.0 (PYTHON), the program gitleaks 8.21.2 (GITLEAKS), and its rules, the file
 * config/gitleaks.toml of its source (GITLEAKS_RULES). SEED changes what is generated.
 */

const { PYTHON = "python3", GITLEAKS = "gitleaks", GITLEAKS_RULES = "", SEED = "1" } = process.env;
const COUNT = 1000;

const written = execFileSync(
  PYTHON,
  ["test/long/secrets/oracle.py", GITLEAKS, GITLEAKS_RULES, String(COUNT), SEED],
  { encoding: "utf8", maxBuffer: 2 ** 28 },
);
const vectors = written
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as SecretVector);
const placed = vectors.map((vector, i) => inContext(vector, i));
const missed: SecretVector[] = [];
// A run holds a hundred: texts of agents are not megabytes of keys.
for (let i = 0; i < placed.length; i += 100) {
  const part = placed.slice(i, i + 100);
  const texts = part.map((one) => one.text);
  const served = await servedOutputs(texts, { wanted: "nothing", forbidden: "nowhere" });
  const reported = await reportedOutputs(texts);
  missed.push(
    ...part.filter(({ secret }) => served.everywhere.includes(secret) || reported.includes(secret)),
  );
}

const folder = process.argv[2] ?? "test/fixtures/runs";
const texts = new Set(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => textsOf(readFileSync(join(folder, name), "utf8"))),
);
const redactor = new Redactor({ keys: [], patterns: [], detectors: ["keys"] });
const changed = [...texts].filter((text) => redactor.text(text) !== text);

const redactedShare = 1 - missed.length / vectors.length;
const falsePositiveShare = changed.length / texts.size;
const good = vectors.length === COUNT && redactedShare >= 0.99 && falsePositiveShare <= 0.005;
console.log(
  JSON.stringify(
    {
      good,
      secrets: vectors.length,
      redactedShare,
      missed,
      texts: texts.size,
      changed: changed.length,
      falsePositiveShare,
    },
    null,
    2,
  ),
);
process.exitCode = good ? 0 : 1;
