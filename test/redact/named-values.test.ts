import { describe, expect, test } from "vitest";
import { growthOf } from "../support/growth.ts";
import { redactOtlp } from "../../src/support/redact/redact-otlp.ts";
import { replaceNamed } from "../../src/support/redact/named-values.ts";
import { nothingRedacted, Redactor } from "../../src/support/redact/redactor.ts";

const keys = new Redactor({ ...nothingRedacted, keys: ["patient"] });
const credentials = new Redactor({ ...nothingRedacted, detectors: ["keys"] });

describe("a key of the configuration in a text that is not complete JSON", () => {
  test.each([
    [`Result: {"patient": "Ann"}`, `Result: {"patient": "[redacted]"}`],
    [`{"patient":"Ann"}\n{"patient":"Bob"}`, `{"patient":"[redacted]"}\n{"patient":"[redacted]"}`],
    [`{"id":1,"patient":"Ann Sm`, `{"id":1,"patient":"[redacted]"`],
    [`{'patient': 'Ann', 'x': 1}`, `{'patient': '[redacted]', 'x': 1}`],
    [`{'patient': "O'Neil", 'x': 1}`, `{'patient': '[redacted]', 'x': 1}`],
    [
      String.raw`see "{\"patient\":\"A\\\"nn\",\"x\":1}"`,
      String.raw`see "{\"patient\":\"[redacted]\",\"x\":1}"`,
    ],
    [`got {"patient":{"names":["]","Ann"]},"x":1}`, `got {"patient":"[redacted]","x":1}`],
    [`got {"patient":42,"x":1}`, `got {"patient":"[redacted]","x":1}`],
    [`got {"patients":"two"}`, `got {"patients":"two"}`],
  ])("%j becomes %j", (text, expected) => expect(keys.text(text)).toBe(expected));

  test.each([`"patient":"`, `"a":`, `"patient":[`, "\\", `\\"`])("time is linear: %j", (unit) => {
    const growth = growthOf((size) => replaceNamed(unit.repeat(size), "", (name) => name === "patient"), {
      size: 20_000,
      times: 8,
      limit: 24,
    });
    expect(growth).toBeLessThan(24);
  });
});

describe("arguments and headers as lists", () => {
  const secret = "s3cr3tV4lueQx9Zk2Lm8Np";
  test.each([
    [
      ["mysql", "--password", "hunter2", "--user", "bob"],
      ["mysql", "--password", "[redacted]", "--user", "bob"],
    ],
    [
      [
        ["authorization", `Bearer ${secret}`],
        ["x-api-key", secret],
      ],
      [
        ["authorization", "Bearer [key]"],
        ["x-api-key", "[redacted]"],
      ],
    ],
    [
      ["--password", "--verbose"],
      ["--password", "--verbose"],
    ],
    [
      ["user", "password", "email"],
      ["user", "password", "email"],
    ],
  ])("%j becomes %j", (list, expected) => {
    expect(credentials.json(list)).toEqual(expected);
    expect(JSON.parse(credentials.text(JSON.stringify(list)))).toEqual(expected);
  });

  test("in attributes of OTLP, too", () => {
    const values = ["--password", "hunter2"].map((stringValue) => ({ stringValue }));
    expect(redactOtlp({ key: "argv", value: { arrayValue: { values } } }, credentials)).toEqual({
      key: "argv",
      value: { arrayValue: { values: [{ stringValue: "--password" }, { stringValue: "[redacted]" }] } },
    });
  });
});

test("a map of OTLP with a name and a value is redacted as its JSON is", () => {
  const pair = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const map = (value: string) => ({
    kvlistValue: { values: [pair("name", "password"), pair("value", value)] },
  });
  expect(redactOtlp({ key: "input", value: map("correcthorse") }, credentials)).toEqual({
    key: "input",
    value: map("[redacted]"),
  });
  expect(credentials.json({ Name: "password", Value: "correcthorse" })).toEqual({
    Name: "password",
    Value: "[redacted]",
  });
});

test("a pattern matches JSON in which something else is redacted, too", () => {
  const redactor = new Redactor({
    ...nothingRedacted,
    detectors: ["keys"],
    patterns: [{ pattern: '"account": ?"[^"]+"', replacement: '"account":"[account]"' }],
  });
  expect(redactor.text('{"account": "123", "password": "x1y2z3"}')).toBe(
    '{"account":"[account]","password":"[redacted]"}',
  );
});
