import { readFileSync } from "node:fs";
import { test } from "vitest";
import { Evidence } from "../../../src/evaluate/checks/correctness/grounding/evidence.ts";
import { kinds } from "../../../src/evaluate/checks/correctness/grounding/reading.ts";
import { statedValues } from "../../../src/evaluate/checks/correctness/grounding/values.ts";
import { parseJson } from "../../../src/model/json.ts";
test("x", () => {
  let n = 0, wrong = 0, out = "";
  for (const line of readFileSync("/tmp/gates/newpairs.txt", "utf8").split("\n")) {
    const [, mark, told = "", answer = ""] = /^\s*([=!]) (.*) \| (.*)$/.exec(line) ?? [];
    if (mark === undefined) continue;
    n++;
    const evidence = new Evidence();
    evidence.add(parseJson(told) ?? told);
    const un = statedValues(answer, new Set(kinds)).flatMap((v) => evidence.grounds(v) ? [] : [`${v.kind ?? "unread"} ${v.text}`]);
    const ok = (un.length === 0) === (mark === "=");
    if (!ok) { wrong++; out += `${mark} ${told} | ${answer}  -> ${JSON.stringify(un)}\n`; }
  }
  process.stdout.write(`${n} pairs, ${wrong} wrong\n${out}`);
});
