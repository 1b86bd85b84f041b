import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growthOf } from "../support/growth.ts";
import { runOf } from "../support/run-of.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { redactRun } from "../../src/support/redact/redact-run.ts";
import { fitsGlob, type RedactionSettings, Redactor } from "../../src/support/redact/redactor.ts";
import { detectors } from "../../src/support/redact/detectors/detectors.ts";
import { redactOtlp } from "../../src/support/redact/redact-otlp.ts";
import { canaries } from "./canaries.ts";
import { beyond, inContext, secretSample, textsOf } from "./secret-sample.ts";

const none: RedactionSettings = { keys: [], patterns: [], detectors: [] };
const allSettings: RedactionSettings = {
  keys: ["*password*", "user.address"],
  patterns: [{ pattern: String.raw`CUST-\d+`, replacement: "[customer]" }],
  detectors,
};
const everything = new Redactor(allSettings);

describe("detectors", () => {
  test.each([
    ["my key is sk-ant-api03-AbCdEfGhIjKlMnOpQrSt.", "my key is [key]."],
    ["authorization: Bearer abcdefgh12345678", "authorization: Bearer [key]"],
    ["postgres://app:hunter22@db/prod", "postgres://app:[key]@db/prod"],
    [`{"api_key": "abcd1234efgh"}`, `{"api_key":"[redacted]"}`],
    ["password=hunter22&x=1", "password=[key]&x=1"],
    ["-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "[key]"],
    ["write to jörg.müller+x@exämple.co.uk, please", "write to [email], please"],
    ["card 4111 1111 1111 1111 or 5500-0000-0000-0004", "card [card] or [card]"],
    ["not 4111 1111 1111 1112 and not 1234567890123", "not 4111 1111 1111 1112 and not 1234567890123"],
    ["at 1700000000000000000 ns", "at 1700000000000000000 ns"],
    ["0000000000000000", "0000000000000000"],
    ["IBAN DE89 3704 0044 0532 0130 00.", "IBAN [iban]."],
    ["IBAN DE89 3704 0044 0532 0130 01.", "IBAN DE89 3704 0044 0532 0130 01."],
    ["ssn 123-45-6789, not 000-45-6789", "ssn [ssn], not 000-45-6789"],
    ["call +49 (30) 1234567 now", "call [phone] now"],
    ["3.14159265358979 and v1.2.3", "3.14159265358979 and v1.2.3"],
  ])("%j becomes %j", (text, expected) => expect(everything.text(text)).toBe(expected));

  test("time is linear in the length of hostile text", () => {
    for (const unit of [
      "a",
      "1",
      "1 ",
      "@",
      "a@",
      "-----BEGIN PRIVATE KEY-----",
      "eyJa.",
      "password=",
      "token:",
      "://a:",
      "A1 ",
      "a b c d=",
      `"token","`,
      `password="`,
      "%41",
      "QUFB",
      "curl -u ",
      "mysql -p",
      "login a password ",
      "machine a login ",
      "key value ",
      "--token ",
      "PuTTY-User-Key-File-2 ",
    ]) {
      // A redactor that knows the text already would not search it again.
      const work = (size: number): void =>
        void new Redactor(allSettings).text(unit.repeat(Math.ceil(size / unit.length)));
      expect([unit, growthOf(work, { size: 4_000, times: 8, limit: 24 }) < 24]).toEqual([unit, true]);
    }
  });
});

test("the time for a map within maps does not grow with the number of levels", () => {
  const kvlistValue = (values: readonly object[]): object => ({ kvlistValue: { values } });
  const widest = kvlistValue(
    Array.from({ length: 2_000 }, (_, at) => ({ key: `k${at}`, value: { stringValue: "v" } })),
  );
  const nested = (levels: number): object =>
    levels === 0 ? widest : kvlistValue([{ key: "x", value: nested(levels - 1) }]);
  const work = (levels: number): void =>
    void redactOtlp({ key: "a", value: nested(levels) } as never, new Redactor(allSettings));
  expect(growthOf(work, { size: 5, times: 16, limit: 4 })).toBeLessThan(4);
});

/** Put together here: scanners of repositories report such texts. */
const secret = ["hunter", "22"].join("");
const random = ["q7Zr2Lw", "9Tn4Vx8", "Bk3Md6Hs"].join("");

describe("values of names that announce credentials", () => {
  const b64 = (text: string) => Buffer.from(text).toString("base64");
  test.each([
    [`DB_PASSWORD=${secret}`, "DB_PASSWORD=[key]"],
    [`export PGPASSWORD=${secret} && psql`, "export PGPASSWORD=[key] && psql"],
    [`OPENAI_API_KEY=${random}`, "OPENAI_API_KEY=[key]"],
    [`aws_secret_access_key = ${random}`, "aws_secret_access_key = [key]"],
    [`config: {"dbPassword": "${secret}"}`, `config: {"dbPassword": "[redacted]"}`],
    [`he sent {\\"dbPassword\\": \\"${secret}\\"}`, `he sent {\\"dbPassword\\": \\"[redacted]\\"}`],
    [`AccountName=x;AccountKey=${random}==;Suffix=y`, "AccountName=x;AccountKey=[key];Suffix=y"],
    [`private_key=${random}`, "private_key=[key]"],
    [`passphrase=correct-horse`, "passphrase=[key]"],
    [`Cookie: session=${random}; theme=dark`, "Cookie: [key]"],
    [`X-Api-Key: ${random}`, "X-Api-Key: [key]"],
    [`secret access key: ${random}`, "secret access key: [key]"],
    [`kwargs: password='${secret} with spaces', port=1`, "kwargs: password='[key]', port=1"],
    [`mysql --user app --password ${secret}`, "mysql --user app --password [key]"],
    [`my password is ${secret}, help`, "my password is [key], help"],
    [`<password>${secret}</password>`, "<password>[key]</password>"],
    [`curl -u app:${secret} https://x.example`, "curl -u app:[key] https://x.example"],
    [`mysql -uapp -p${secret} shop < dump.sql`, "mysql -uapp -p[key] shop < dump.sql"],
    [`mysqldump -h db -p'${secret}' shop`, "mysqldump -h db -p'[key]' shop"],
    [`machine x.example login app password ${secret}`, "machine x.example login app password [key]"],
    [`'default login app\n password ${secret}'`, "'default login app\n password [key]'"],
    [`login app password ${random}`, "login app password [key]"],
    [`https://x.example/c?sv=2024&se=2026&sig=${random}%3D`, "https://x.example/c?sv=2024&se=2026&sig=[key]"],
    [`[{"name":"password","value":"${secret}"}]`, `[{"name":"password","value":"[redacted]"}]`],
    [
      `sent {"key":"db.password","value":{"stringValue":"${secret}"}}`,
      `sent {"key":"db.password","value":{"stringValue":"[key]"}}`,
    ],
    [`body ${b64(`{"db_password": "${secret}"}`)}`, "body [encoded]"],
    [`body ${b64(`secret: ${b64(`token=${random}`)}`)}`, "body [encoded]"],
    [`GET /login?password%3D${secret}%26x%3D1`, "GET %2Flogin%3Fpassword%3D%5Bkey%5D%26x%3D1"],
    // what only speaks of them stays
    ["Click here to reset your password: it takes a minute", null],
    ["password: string; token: number", null],
    ["input_tokens=17, max_tokens: 4096, next_page_token: none", null],
    [`{"tools":["reset_password","update_account"]}`, null],
    ["mkdir -p shop && mysql -p 3306", null],
    ["docker run --name mysql -p3306:3306 mysql:8; mysql -h db -P3306 -p", null],
    ["The login and password fields are required; your login is password protected", null],
    ["the login password is long", null],
    ["password=${DB_PASSWORD}", null],
    ["model: claude-sonnet-4-5-20250929, key: value", null],
    ["the compass: north-by-northwest", null],
    [b64("a text of no interest at all"), null],
    ["100%25 of %7Busers%7D", null],
  ])("%j becomes %j", (text, expected) => expect(everything.text(text)).toBe(expected ?? text));

  test.each([
    `use the token ${random}`,
    `The API token of staging, as of today, is ${random}.`,
    `our secret (do not share) → ${random}`,
    `new credentials were issued - ${random} - keep them safe`,
    `The key is ${random}`,
    `rotate the access key today, the old one was ${random}`,
    `x-api-key\n${random}`,
    `zj3datadog,pZlVrc0l0I1ZC=  ${random}`,
    `password | ${random} | prod`,
    `Send a password reset link. IIomYJasanavl=>''' =${random}`,
  ])("a random word behind a word that announces a credential: %j", (text) => {
    expect(everything.text(text)).toBe(text.replace(random, "[key]"));
  });

  test.each([
    "the token count of call_9W5Iejt5D8AbCdEfGhIj is 17",
    "tokens of chatcmpl-9XyZabcDEFghi12345JKLmno: 5",
    "session token for run 0af7651916cd43dd8448eb211c80319c",
    "the key of the row is 123e4567-e89b-12d3-a456-426614174000",
    "password reset at 2024-05-05T10:11:12.123456Z",
    "the api key of msg_01XFDUDYJgAACzvnptvVoYEL",
    "token limit of claude-3-5-sonnet-20241022-v2:0",
    "access token: see https://example.com/a/b1c2d3/e4f5g6/h7i8j9",
    `the token was fine, run=${random}`,
    `the key was fine.\n\nNext: ${random}`,
    `order ${random} has no key`,
  ])("an id, a time, an address near such a word stays: %j", (text) => {
    expect(everything.text(text)).toBe(text);
  });

  test("spelled in every way, in attributes and JSON", () => {
    const names = [
      "db.password",
      "dbPassword",
      "DB_PASSWORD",
      "app-secret",
      "apiKey",
      "apikey",
      "access_token",
    ];
    for (const name of names) {
      expect(everything.json({ [name]: secret })).toEqual({ [name]: "[redacted]" });
    }
    expect(everything.json({ password: 12345678, secrets: [secret] })).toEqual({
      password: "[redacted]",
      secrets: "[redacted]",
    });
    const kept = {
      total_tokens: 5,
      token_type: "x",
      password_policy: "long",
      schema: { password: { type: "string" } },
    };
    expect(new Redactor({ ...none, detectors: ["keys"] }).json(kept)).toEqual(kept);
  });

  test("JSON in which nothing is redacted keeps its form; a repeated key hides nothing", () => {
    expect(everything.text('{ "a":  1.0 }')).toBe('{ "a":  1.0 }');
    expect(everything.text(`{"password":"${secret}","password":null}`)).not.toContain(secret);
  });
});

describe("a sample of secrets that public rule sets report", () => {
  const sample = secretSample();

  test("is large", () => expect(new Set(sample.map((one) => one.rule)).size).toBeGreaterThan(200));

  test.each([0, 1, 2, 3])("is redacted, in context %i", (turn) => {
    const missed = sample
      .map((vector) => inContext(vector, turn))
      .filter(({ text, secret }) => everything.text(text).includes(secret));
    expect(beyond(missed, turn === 3 ? 1 : 0)).toEqual([]);
  });

  test("texts of recorded runs do not change: at most one of two hundred does", () => {
    const redactor = new Redactor({ ...none, detectors: ["keys"] });
    const texts = new Set(
      readdirSync("test/fixtures/runs").flatMap((name) =>
        textsOf(readFileSync(`test/fixtures/runs/${name}`, "utf8")),
      ),
    );
    const changed = [...texts].filter((text) => redactor.text(text) !== text);
    expect(texts.size).toBeGreaterThan(500);
    expect(beyond(changed, texts.size / 200)).toEqual([]);
  });
});

describe("keys", () => {
  test("hide values in attributes and in JSON, in texts that hold JSON as well", () => {
    expect(
      everything.json({ user: { Password_Hash: "x" }, "user.address": ["Main St"], other: "y" }),
    ).toEqual({
      user: { Password_Hash: "[redacted]" },
      "user.address": "[redacted]",
      other: "y",
    });
    expect(everything.text(`{"login":{"password":{"old":"a"}},"n":1}`)).toBe(
      `{"login":{"password":"[redacted]"},"n":1}`,
    );
    expect(everything.text("{no json")).toBe("{no json");
  });

  test("cannot reach a prototype, and a deep value ends", () => {
    const hostile = JSON.parse(`{"__proto__":{"polluted":true},"constructor":"x"}`) as never;
    everything.json(hostile);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(() => everything.text("[".repeat(100_000))).not.toThrow();
  });

  test("JSON deeper than is parsed is taken out as a whole, and however much there is, keys count", () => {
    const deep = `{"user":{"password_hash":"x"},"deep":${"[".repeat(100)}${"]".repeat(100)}}`;
    expect(everything.text(deep)).toBe("[redacted]");
    expect(everything.text(`{"password_hash":"x","list":[${"1,".repeat(150_000)}1]}`)).toMatch(
      /^\{"password_hash":"\[redacted\]","list":\[1,/,
    );
  });

  test("globs agree with the regular expression they stand for", () => {
    const part = fc.string({ unit: fc.constantFrom("a", "b", "*", "."), maxLength: 6 });
    fc.assert(
      fc.property(part, part, (text, glob) => {
        const pattern = new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
        expect(fitsGlob(text, glob)).toBe(pattern.test(text));
      }),
    );
  });
});

describe("two hundred canaries", () => {
  const all = canaries();

  test("are all different, and all there", () => expect(new Set(all).size).toBe(200));

  test("none survives in any place of an OTLP message", () => {
    const text = (value: string) => ({ stringValue: value });
    const attributes = all.map((canary, i) => ({ key: `k${i}`, value: text(`see ${canary} there`) }));
    const nested = [
      { key: "list", value: { arrayValue: { values: all.map(text) } } },
      {
        key: "map",
        value: { kvlistValue: { values: all.map((value, i) => ({ key: `m${i}`, value: text(value) })) } },
      },
      { key: "json", value: text(JSON.stringify(all.map((content) => ({ role: "user", content })))) },
      { key: "password", value: text("anything at all") },
    ];
    const span = {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      startTimeUnixNano: "1700000000000000000",
      name: all[60],
      attributes: [...attributes, ...nested],
      events: [{ name: all[61], attributes }],
      links: [{ traceId: "0af7651916cd43dd8448eb211c80319c", attributes }],
      status: { message: all[62] },
    };
    const message = {
      resourceSpans: [
        {
          resource: { attributes, entityRefs: [{ type: "host", idKeys: [all[64]] }] },
          scopeSpans: [
            { scope: { name: all[63], version: all[0], attributes }, spans: [span], unknown: all[1] },
          ],
        },
      ],
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: text(all.join(" ")), attributes }] }] }],
    };
    const clean = redactOtlp(message as never, everything);
    const written = JSON.stringify(clean);
    expect(all.filter((canary) => written.includes(canary))).toEqual([]);
    expect(written).not.toContain("anything at all");
    expect(clean).toMatchObject({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                { traceId: span.traceId, spanId: span.spanId, startTimeUnixNano: span.startTimeUnixNano },
              ],
            },
          ],
        },
      ],
    });
  });
});

test("a pattern that cannot be compiled is said", () => {
  expect(() => new Redactor({ ...none, patterns: [{ pattern: "(", replacement: "" }] })).toThrow(
    "redact.patterns: (",
  );
});

test("every text of a run is redacted, and a run without a secret stays as it is", () => {
  const runWith = (text: string) =>
    runOf({
      service: text,
      agent: text,
      finalAgent: text,
      conversationId: text,
      query: text,
      answer: text,
      error: text,
      tools: [{ name: text, arguments: { [text]: [text] }, result: { text }, error: text }],
      handoffs: [text],
      handoffsAvailable: [text],
      retrievals: [{ spanId: null, query: text, documents: [{ id: text, content: text, score: 1 }] }],
      guardrails: [{ spanId: null, name: text, triggered: true }],
      llm: [{ error: text }],
      models: [text],
      responseModels: [text],
      attributes: { note: text },
      missing: [{ what: "answer", why: text }],
      messages: [
        { role: "user", name: text, text, calls: [], results: [] },
        {
          role: "assistant",
          name: null,
          text,
          calls: [{ id: "1", name: text, arguments: { text } }],
          results: [],
        },
        {
          role: "tool",
          name: null,
          text,
          calls: [],
          results: [{ callId: "1", name: text, content: text, isError: false }],
        },
      ],
      systemInstructions: text,
      toolDefinitions: [{ name: text }],
    });
  const hiding = { keys: [], patterns: [{ pattern: "secret", replacement: "word" }], detectors: [] };
  const jsonOf = (text: string) =>
    JSON.stringify(runJson(redactRun(runWith(text), new Redactor(hiding)), true));
  expect(jsonOf("a secret")).toBe(JSON.stringify(runJson(runWith("a word"), true)));
  expect(jsonOf("plain")).toBe(JSON.stringify(runJson(runWith("plain"), true)));
});
