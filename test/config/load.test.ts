import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig, type LoadedConfig } from "../../src/config/load.ts";
import type { SourceReader } from "../../src/spec/document/source-reader.ts";
import { schemaKeys } from "../support/schema-keys.ts";

function memory(files: Readonly<Record<string, string>>): SourceReader {
  return {
    read(path) {
      const text = files[path];
      return text === undefined
        ? { ok: false, reason: "there is no such file" }
        : { ok: true, text, realPath: path };
    },
  };
}

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly set?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** All files whose names end in .yaml are configurations, in order. */
function load({ files = {}, set = [], env = {} }: Given): LoadedConfig {
  const names = Object.keys(files).filter((name) => name.endsWith(".yaml"));
  return loadConfig({ files: names, set, env, reader: memory(files) });
}

function configOf(given: Given): Config {
  const loaded = load(given);
  if (!loaded.ok) throw new Error(problemsOf(loaded).join("\n"));
  return loaded.config;
}

function problemsOf(loaded: LoadedConfig): string[] {
  return loaded.problems.map(
    ({ file, line, column, message, hint }) =>
      `${file}:${line}:${column} ${message}${hint === null ? "" : ` (${hint})`}`,
  );
}

const problems = (given: Given) => problemsOf(load(given));

describe("without any file", () => {
  test("every part is as config/default.yaml says", () => {
    const loaded = loadConfig({ files: ["config/default.yaml"], set: [], env: {}, reader: fileReader });
    expect(problemsOf(loaded)).toEqual([]);
    expect(loaded.ok && loaded.config).toEqual(configOf({}));
  });
});

test("scores for Braintrust need the project that their rows are in", () => {
  const scores = (more: string) =>
    `export.scores=[{ kind: braintrust, endpoint: "https://api.braintrust.dev"${more} }]`;
  expect(problems({ set: [scores("")] })).toEqual([expect.stringContaining("needs `project`")]);
  expect(configOf({ set: [scores(", project: 2f0c-11")] }).export.scores[0]?.project).toBe("2f0c-11");
});

test("A14 files merge key by key, lists are replaced, and --set wins", () => {
  const config = configOf({
    files: {
      "base.yaml": "specs: [a, b]\nreceive: { http: 0.0.0.0:1, grpc: 0.0.0.0:2 }\nassemble:\n  idle: 1m\n",
      "over.yaml": "specs: [c]\nreceive: { http: 0.0.0.0:3 }\nassemble:\n",
    },
    set: ["receive.grpc=off", "assemble.root_quiet=1.5s", "specs=[d, e]"],
  });
  expect(config.receive).toMatchObject({ http: "0.0.0.0:3", grpc: "off" });
  expect(config.specs).toEqual(["d", "e"]);
  expect(config.assemble).toMatchObject({ idleMs: 60_000, rootQuietMs: 1500 });
});

test.each([
  ["", "./data"],
  ["# data_dir: ./other\n", "./data"],
  ["---\n", "./data"],
  ["data_dir: ./other\n", "./other"],
])("a file with %j changes only the keys that it has", (text, dataDir) => {
  expect(configOf({ files: { "a.yaml": "data_dir: ./data\n", "b.yaml": text } }).dataDir).toBe(dataDir);
});

describe("--set", () => {
  test("values are YAML, and keys with dots in them are quoted", () => {
    const config = configOf({
      set: ['prices."gpt-4.1"={ input: 2, output: 8 }', "export.content=true", 'data_dir="a=b"'],
    });
    expect(config.prices).toEqual({ "gpt-4.1": { input: 2, output: 8 } });
    expect(config.export.content).toBe(true);
    expect(config.dataDir).toBe("a=b");
  });

  test.each([
    ["receive.htp=x", "--set receive.htp=x:1:1 `receive` has no key `htp` (did you mean `http`?)"],
    [
      "receive.http",
      "--set receive.http:1:1 `--set` takes a key and a value (write --set receive.http=127.0.0.1:0)",
    ],
    ["=3", "--set =3:1:1 `--set` takes a key and a value (write --set receive.http=127.0.0.1:0)"],
    [
      "assemble.idle=3",
      "--set assemble.idle=3:1:15 `idle` must be a duration such as 500ms, 6s, 2m, 1h or 7d, not 3 (`idle`: Closes a trace whose root span has not arrived, after this time without a new span or log record)",
    ],
  ])("%s", (set, expected) => {
    expect(problems({ set: [set] })).toEqual([expected]);
  });
});

describe("values from elsewhere", () => {
  const of = (written: string, env: Readonly<Record<string, string>> = {}) =>
    configOf({ files: { "c.yaml": `data_dir: ${written}\n`, secret: "s3cret\n" }, env }).dataDir;

  test.each([
    ["${env:HOME_DIR}", { HOME_DIR: "/data" }, "/data"],
    ["${HOME_DIR}", { HOME_DIR: "/data" }, "/data"],
    ["${env:HOME_DIR}/x/${env:SUB}", { HOME_DIR: "/data", SUB: "y" }, "/data/x/y"],
    ["${env:HOME_DIR:-./here}", {}, "./here"],
    ["${env:HOME_DIR:-./here}", { HOME_DIR: "" }, "./here"],
    ["${env:HOME_DIR:-}x", {}, "x"],
    ["a$$b $${env:X}", {}, "a$b ${env:X}"],
    ["a$b", {}, "a$b"],
    ["${file:secret}", {}, "s3cret"],
    ["${env:TRICK}", { TRICK: "${env:OTHER}" }, "${env:OTHER}"],
  ])("%s with %j is %s", (written, env, expected) => {
    expect(of(written, env)).toBe(expected);
  });

  test("stay text where text is wanted, and are numbers and switches where those are", () => {
    const env = { N: "7", ON: "true", TOKEN: "123456" };
    const yaml =
      "judge: { concurrency: '${env:N}' }\nexport:\n  content: ${env:ON}\n  otlp: [{ endpoint: 'http://b', headers: { x-token: '${env:TOKEN}' } }]\n";
    const config = configOf({ files: { "c.yaml": yaml }, env });
    expect([config.judge.concurrency, config.export.content]).toEqual([7, true]);
    expect(config.export.otlp[0]?.headers).toEqual({ "x-token": "123456" });
  });

  test("A14 that are not there are a problem where they are written", () => {
    expect(
      problems({
        files: { "c.yaml": "data_dir: ${env:DATADIR}\nadmin: ${file:nowhere}\n" },
        env: { DATA_DIR: "x" },
      }),
    ).toEqual([
      "c.yaml:1:11 the environment variable DATADIR is not set (did you mean DATA_DIR?)",
      "c.yaml:2:8 cannot read nowhere: there is no such file",
    ]);
  });
});

test("A14 every problem is found at once, with its place", () => {
  const yaml = `receive: { http: nowhere, max_bdy: 1MiB }
asemble: {}
journal: { durability: fsnc, budget: 2 GB, }
limits: { memory: 1KiB }
export: { otlp: [{ endpoint: backend:4318, signals: [log] }] }
judge: { providers: { local: { kind: ollama } }, budget: { run: { usd: -1 } } }
prices: { my-model: { input: 1 } }
`;
  expect(problems({ files: { "c.yaml": yaml } })).toEqual([
    'c.yaml:1:18 `http`: "nowhere" is not an address; write host:port, [v6]:port, or off',
    "c.yaml:1:27 `receive` has no key `max_bdy` (did you mean `max_body`?)",
    "c.yaml:2:1 the configuration has no key `asemble` (did you mean `assemble`?)",
    'c.yaml:3:24 `durability` must be one of fsync, flush, memory, not "fsnc" (did you mean `fsync`?)',
    "c.yaml:4:19 `memory`: must be at least 32MiB",
    "c.yaml:5:30 `endpoint`: must be a valid URL that begins with http:// or https://",
    'c.yaml:5:54 `signals` item 1 must be one of logs, traces, metrics, not "log" (did you mean `logs`?)',
    'c.yaml:6:38 `kind` must be one of anthropic, openai, not "ollama" (`kind`: API of the provider)',
    "c.yaml:6:72 `usd` must be at least 0, not -1",
    "c.yaml:7:21 `my-model`: write `input` and `output`, or only `service_tiers`, which multiply the table's prices",
  ]);
});

test("a file that cannot be read, or is no YAML, is a problem", () => {
  const loaded = loadConfig({ files: ["nowhere.yaml"], set: [], env: {}, reader: memory({}) });
  expect(problemsOf(loaded)).toEqual([
    "nowhere.yaml:0:0 cannot read the configuration: there is no such file",
  ]);
  expect(problems({ files: { "c.yaml": "a: [" } })[0]).toMatch(/^c.yaml:1:5 not valid YAML/);
});

test("attribute names of a dialect are no secrets, also those about tokens", () => {
  const yaml = "dialects: [{ name: acme, markers: [acme.kind], fields: { input_tokens: [acme.tok.in] } }]\n";
  const loaded = load({ files: { "a.yaml": yaml } });
  expect(loaded.ok && loaded.secrets).toEqual([]);
});

test("header values and what stands under secret names are known as secrets", () => {
  const yaml =
    "export: { otlp: [{ endpoint: 'http://b', headers: { authorization: 'Bearer ${env:T}', x-scope: team } }] }\njudge: { providers: { p: { kind: openai, key_env: P_KEY } } }\n";
  const loaded = load({ files: { "c.yaml": yaml }, env: { T: "s3cret" } });
  expect(loaded.ok && loaded.secrets).toEqual(["Bearer s3cret", "team"]);
});

test("keys of a file cannot change a prototype", () => {
  const found = problems({ files: { "c.yaml": "__proto__: { polluted: true }\nconstructor: 1\n" } });
  expect(found).toEqual(
    [
      "c.yaml:1:1 the configuration has no key `__proto__`",
      "c.yaml:2:1 the configuration has no key `constructor`",
    ].map((start): unknown => expect.stringMatching(new RegExp(`^${start}`))),
  );
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("config/default.yaml shows every key there is, those without a default as a comment", () => {
  const written = readFileSync("config/default.yaml", "utf8");
  const schema = JSON.parse(readFileSync("config/config.schema.json", "utf8")) as object;
  const missing = schemaKeys(schema).filter(
    (key) => !new RegExp(`^[ #-]*(.*[{,] ?)?${key}:`, "m").test(written),
  );
  expect(missing).toEqual([]);
});

describe("dialects", () => {
  const acme = [
    "dialects:",
    "  - name: acme",
    "    markers: [acme.kind]",
    "    roles:",
    "      acme.kind: { run: agent, LLM: call }",
    "    names: { 'acme.tool*': tool }",
    "    fields:",
    "      request_model: acme.model",
    "      input_messages: [acme.sent, 'acme.messages.*.role']",
    "    apart: [cached]",
  ].join("\n");

  test("are tables by field", () => {
    expect(configOf({ files: { "a.yaml": acme } }).dialects).toEqual([
      {
        name: "acme",
        markers: ["acme.kind"],
        scopes: [],
        roles: { "acme.kind": { run: "agent", LLM: "call" } },
        names: { "acme.tool*": "tool" },
        fields: { requestModel: ["acme.model"], inputMessages: ["acme.sent", "acme.messages.*.role"] },
        apart: ["cached"],
      },
    ]);
  });

  test("name what is wrong where it stands, and what was probably meant", () => {
    const wrong = acme
      .replace("request_model", "requst_model")
      .replace("agent, LLM: call", "agnt, LLM: call")
      .replace("apart: [cached]", "aparts: [cached]");
    expect(problems({ files: { "a.yaml": wrong } })).toEqual([
      expect.stringMatching(/^a\.yaml:5:25 .*agnt.*did you mean `?agent/),
      expect.stringMatching(/^a\.yaml:8:7 .*requst_model.*did you mean `?request_model/),
      expect.stringMatching(/^a\.yaml:10:5 .*aparts.*did you mean `?apart/),
    ]);
  });

  test("need something to be known by, and names of their own", () => {
    expect(problems({ files: { "a.yaml": "dialects: [{ name: acme }]" } })).toEqual([
      expect.stringContaining("write `markers` or `scopes`"),
    ]);
    const twice = "dialects: [{ name: a, markers: [a.x] }, { name: a, markers: [a.y] }]";
    expect(problems({ files: { "a.yaml": twice } })).toEqual([
      expect.stringContaining('there are two dialects "a"'),
    ]);
  });
});
