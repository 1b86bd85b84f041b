import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const canary = "canary-4f1c9e77b2";
const env = { CANARY: canary, OPENAI_API_KEY: canary, ANTHROPIC_API_KEY: canary };

const config = `
export:
  otlp: [{ endpoint: "http://user:${canary}@127.0.0.1:9", headers: { authorization: "Bearer \${env:CANARY}" } }]
  webhook: [{ url: "https://hooks.example.com/services/${canary}", secret: "whsec_${canary}" }]
forward: [{ endpoint: "http://127.0.0.1:9", headers: { x-api-key: "\${env:CANARY}" } }]
security:
  tokens: [{ token: "\${env:CANARY}", scopes: [ingest, read] }]
  users: [{ user: u, password: "${canary}", scopes: [admin] }]
`;

const run = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const setting = (...sets: readonly string[]) => sets.flatMap((set) => ["--set", set]);
const print = (...sets: readonly string[]) => ["config", "print", ...setting(...sets)];
const judging = [
  "test",
  run,
  "--spec",
  "specs/rag-agent.yaml",
  "--judge",
  "off",
  "--output",
  "html=OUT/r.html",
];
const open = setting("admin=0.0.0.0:0", "security.tokens=[]", "security.users=[]");
test.each([
  ["config print", print()],
  ["config print as JSON", [...print(), "--format", "json"]],
  ["test", judging],
  ["an unknown key beside it", print("security.tokns=[]")],
  ["a wrong type beside it", print("receive=7")],
  ["a mistake in the same line", print(`security.tokens=[{ token: ${canary}, scopes: [bad] }]`)],
  ["an address of a database that is none", print(`store.url=http://u:${canary}@db/x`)],
  ["a variable in the wrong place", print("admin=${env:CANARY}", "store.mode=${env:CANARY}")],
  ["a database that is not there", print(`store={ mode: postgres, url: postgres://u:${canary}@db/x }`)],
  [
    "serve, where the address is taken",
    ["serve", ...setting("receive.http=TAKEN", "journal.durability=memory")],
  ],
  ["serve, where it would be open", ["serve", ...open]],
])("a planted token is in nothing that a command writes: %s", async (_, words) => {
  const folder = temporaryFolder();
  const file = join(folder, "c.yaml");
  writeFileSync(file, config);
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await new Promise((resolve) => taken.once("listening", resolve));
  const address = `127.0.0.1:${(taken.address() as { port: number }).port}`;
  const given = words.map((word) => word.replace("OUT", folder).replace("TAKEN", address));
  const wide = argv`--config ${file} --set ${`data_dir=${join(folder, "data")}`} --set store.mode=memory`;
  const ran = await runCliWith({ env }, ...given, ...wide);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "c.yaml")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect([ran.stdout, ran.stderr, ...files].join("\n")).not.toContain(canary);
  expect(ran.stdout.length + ran.stderr.length).toBeGreaterThan(0);
});
