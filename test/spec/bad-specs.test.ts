import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { checks } from "../../src/evaluate/checks/registry.ts";
import { renderProblem } from "../../src/spec/document/problems/frame.ts";
import type { SourceReader } from "../../src/spec/document/source-reader.ts";
import { loadSpec } from "../../src/spec/load.ts";

const folder = "test/fixtures/bad-specs";

const reader: SourceReader = {
  read(path) {
    try {
      return { ok: true, text: readFileSync(path, "utf8"), realPath: path };
    } catch {
      return { ok: false, reason: "there is no such file" };
    }
  },
};

/** All that `validate` would say about a spec, frames included. */
function screen(file: string): string {
  const text = readFileSync(file, "utf8");
  const loaded = loadSpec({ file, text }, { checks, reader });
  const problems = loaded.problems.map((problem) => renderProblem(problem, loaded.texts.get(problem.file)));
  return `${loaded.ok ? "valid" : "not valid"}\n\n${problems.join("\n\n")}\n`.replaceAll(`${folder}/`, "");
}

test.each(readdirSync(folder).filter((name) => name.endsWith(".yaml")))(
  "every problem of a spec is said at once, with its place and what to write instead: %s",
  async (name) => {
    await expect(screen(`${folder}/${name}`)).toMatchFileSnapshot(
      `../fixtures/bad-specs/${name.replace(".yaml", ".txt")}`,
    );
  },
);
