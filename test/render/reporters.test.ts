import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { renderReport } from "../../src/report/render/formats/formats.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { reportPage } from "../support/report-page.ts";
import { golden } from "../support/golden.ts";
import { parseCommands } from "../support/github-commands.ts";
import { textsOf, readXml } from "../support/xml.ts";
import { hostilePieces, hostileResult, sampleResult } from "./reporters-sample.ts";
import { anyText } from "../support/any-text.ts";

const files: Readonly<Record<string, string>> = {
  console: "report.console.txt",
  json: "report.json",
  junit: "report.junit.xml",
  github: "report.github.txt",
  markdown: "report.md",
  prometheus: "report.prom",
  csv: "report.csv",
  gitlab: "report.gitlab.json",
  sarif: "report.sarif",
  html: "report.html",
};

test.each(formats)("a report reads as it did: %s", (format) => {
  const report = renderReport(sampleResult(), format, plainTheme, { page: reportPage });
  expect(report).toBe(golden(files[format] ?? `report.${format}`, report));
});

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...hostilePieces), anyText({ maxLength: 5 })), {
    maxLength: 6,
  })
  .map((pieces) => pieces.join(""));

/** Control characters other than tab and line ends, and marks that turn or hide text. */
// oxlint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Reads a hostile text's report for each of many texts. */
function always(format: (typeof formats)[number], holds: (report: string, text: string) => void): void {
  fc.assert(
    fc.property(hostile, (text) => {
      holds(renderReport(hostileResult(text), format, plainTheme, { page: reportPage }), text);
    }),
    { numRuns: 30 },
  );
}

describe("whatever strangers wrote", () => {
  test.each(formats.filter((format) => !["console", "json", "prometheus", "sarif"].includes(format)))(
    "%s hides nothing",
    (format) => {
      always(format, (report) => expect(report).not.toMatch(hidden));
    },
  );

  test.each(formats.filter((format) => !["console", "json", "prometheus"].includes(format)))(
    "%s stays small beside an answer of 300 kB",
    (format) => {
      const report = renderReport(hostileResult("🙂x]]>".repeat(40_000)), format, plainTheme, {
        page: reportPage,
      });
      expect(report.length).toBeLessThan(120_000);
    },
  );

  test.each(formats.filter((format) => !["github", "html"].includes(format)))(
    "%s: no line is a command of a CI system",
    (format) => {
      always(format, (report) => expect(report).not.toMatch(/^\s*::|##(?:\[|vso\[|teamcity\[)/m));
    },
  );

  test("github: only the expected workflow commands, in the expected number", () => {
    const usual = parseCommands(renderReport(hostileResult("x"), "github", plainTheme)).map(
      ({ name }) => name,
    );
    always("github", (report) => {
      const lines = report.trimEnd().split("\n");
      const commands = parseCommands(report);
      expect(commands).toHaveLength(lines.length);
      expect(report).not.toContain("##[");
      for (const { name, properties } of commands) {
        expect(["error", "warning", "notice"]).toContain(name);
        for (const key of Object.keys(properties)) expect(["file", "line", "col", "title"]).toContain(key);
      }
      expect(commands.length).toBeLessThanOrEqual(usual.length + 3);
    });
  });

  test("junit: an XML document of the elements that are meant", () => {
    const known =
      /^(testsuites|testsuite|properties|property|testcase|failure|error|skipped|system-out|system-err)$/;
    always("junit", (report) => {
      for (const { name } of textsOf(readXml(report))) expect(name).toMatch(known);
    });
  });

  test("markdown: only our own HTML elements, and no user is mentioned", () => {
    always("markdown", (report) => {
      const tags = report.match(/<[^>]*>/g) ?? [];
      for (const tag of tags) {
        expect(tag).toMatch(
          /^<(\/?code|br|\/?details|details open|\/?summary|!-- -->|!-- --|!-- tracejury-report --)>?$/,
        );
      }
      expect(report).not.toMatch(/@[A-Za-z]/);
    });
  });
});

describe("formats of numbers and rows", () => {
  test("prometheus: every line is a sample whose labels end where they should", () => {
    const sample = /^[a-z_]+(\{([a-z_]+="([^"\\\n]|\\[\\n"])*",?)*\})? -?[0-9.e+-]+$/;
    always("prometheus", (report) => {
      const samples = report.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
      expect(samples.filter((line) => !sample.test(line))).toEqual([]);
    });
  });

  test("csv: all rows have the same number of cells, and no cell is a formula", () => {
    always("csv", (report) => {
      const [head = [], ...rows] = parse(report);
      expect(rows).toHaveLength(4);
      for (const row of rows) {
        expect(row).toHaveLength(head.length);
        for (const cell of row) expect(cell).not.toMatch(/^\s*[=+\-@|%]/);
      }
    });
  });

  test.each(["gitlab", "sarif"] as const)("%s: JSON, whatever it holds", (format) => {
    always(format, (report) => expect(() => JSON.parse(report) as unknown).not.toThrow());
  });
});

describe("html", () => {
  test("the HTML report contains only its own elements, scripts and addresses", () => {
    const tags = (report: string): number => report.split("<").length;
    const usual = tags(renderReport(hostileResult("x"), "html", plainTheme, { page: reportPage }));
    always("html", (report) => {
      expect(tags(report)).toBeLessThanOrEqual(usual + 1);
      expect(report.match(/<script/g)).toHaveLength(2);
      expect(report).not.toMatch(/<img|<a |(src|href)="/);
    });
  });

  test("its data can be read back", () => {
    always("html", (report) => {
      const [, data = ""] = /id="data">([^<]*)<\/script>/.exec(report) ?? [];
      expect(JSON.parse(data)).toMatchObject({ runs: [{ spec: "rag-agent" }] });
    });
  });
});

test("sarif has rules for its results, places from 1 and a level that the schema knows", () => {
  const { version, runs } = JSON.parse(renderReport(sampleResult(), "sarif", plainTheme));
  const [{ results, tool }] = runs;
  expect(version).toBe("2.1.0");
  for (const result of results) {
    expect(tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(["error", "warning", "note", "none"]).toContain(result.level);
    expect(result.message.text).not.toBe("");
    const place = result.locations[0]?.physicalLocation;
    expect(place?.region.startLine).toBeGreaterThanOrEqual(1);
    expect(place?.artifactLocation.uri).toMatch(/^[\w./%-]+$/);
  }
});

describe("junit", () => {
  const root = readXml(renderReport(sampleResult(), "junit", plainTheme));

  test("counts what it holds", () => {
    for (const suite of root.children) {
      const count = (name: string): string =>
        String(textsOf(suite).filter((node) => node.name === name).length);
      expect(suite.attributes).toMatchObject({
        tests: count("testcase"),
        failures: count("failure"),
        errors: count("error"),
        skipped: count("skipped"),
      });
    }
  });

  test("nests, orders and names as the schemas of Ant and of Jenkins both allow", () => {
    const children: Readonly<Record<string, RegExp>> = {
      testsuites: /^(testsuite )*$/,
      testsuite: /^properties (testcase )*system-out system-err $/,
      properties: /^(property )*$/,
      testcase: /^((skipped|error|failure) )?$/,
    };
    const required = "id name package hostname timestamp tests failures errors time".split(" ");
    const attributes: Readonly<Record<string, readonly string[]>> = {
      testsuites: [],
      testsuite: [...required, "skipped"],
      property: ["name", "value"],
      testcase: ["name", "classname", "time"],
      failure: ["message", "type"],
      error: ["message", "type"],
      skipped: ["message"],
    };
    for (const { name, attributes: own, children: inner } of textsOf(root)) {
      expect(inner.map((child) => `${child.name} `).join("")).toMatch(children[name] ?? /^$/);
      expect(Object.keys(own).sort()).toEqual([...(attributes[name] ?? [])].sort());
    }
    const [suite] = root.children;
    expect(suite?.attributes["timestamp"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });
});
