import { describe, expect, it } from "vitest";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { DumpStream, realBodies } from "../../bench/data/real/bodies.ts";
import { markPlaces, renumberMarks, withoutMarks } from "../../bench/data/real/marks.ts";
import {
  type ExportRequest,
  ownRecordings,
  recordingsBelow,
  requestsOf,
} from "../../bench/data/real/recordings.ts";
import { Replica } from "../../bench/data/real/replica.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { replayedRuns } from "../long/runs/assemble.ts";
import { asJson } from "../long/runs/records.ts";

const recordings = recordingsBelow(ownRecordings);
const runsOf = (requests: readonly ExportRequest[]): AgentRun[] => replayedRuns(requests.map(asJson));

/** What a run was about, and what joining decides. */
function contentsOf(run: AgentRun): string {
  const { query, answer, tools, handoffs, llmCalls, usage, status, agent, finalAgent, models } = run;
  const calls = tools.map((tool) => [tool.name, tool.arguments, tool.result, tool.error, tool.agent]);
  const handedOver = handoffs.map(({ from, to, kind }) => [from, to, kind]);
  return JSON.stringify([
    query,
    answer,
    calls,
    handedOver,
    llmCalls,
    usage,
    status,
    agent,
    finalAgent,
    models,
  ]);
}

describe("copies of recorded runs", () => {
  // Copies are made alike of all of them.
  const some = recordings.filter((_, at) => at % 9 === 0);

  it.each(some)("$name: a copy is read as the original is, but for its marks", (recording) => {
    const copies = runsOf(new Replica(recording).copy(7)).map(contentsOf);
    expect(copies.map(withoutMarks)).toEqual(runsOf(requestsOf(recording)).map(contentsOf));
  });

  it.each(some)("$name: two copies in one dump stay runs of their own", (recording) => {
    const replica = new Replica(recording);
    const apart = [1, 2].flatMap((copy) => runsOf(replica.copy(copy)).map(contentsOf));
    const together = runsOf([...replica.copy(2), ...replica.copy(1)]).map(contentsOf);
    expect(together.sort()).toEqual(apart.sort());
  });

  it("differ in what was asked and answered, and in what tools got and gave", () => {
    const all = recordings.map((recording) => new Replica(recording));
    const shares = [1, 2].map((copy) => all.flatMap((replica) => runsOf(replica.copy(copy))));
    const [first = [], second = []] = shares;
    const differing = (of: (run: AgentRun) => unknown): number => {
      const pairs = first.map((run, at) => [of(run), second[at] && of(second[at])]);
      const given = pairs.filter(([one]) => typeof one === "string" && one.length > 3);
      return given.filter(([one, other]) => one !== other).length / given.length;
    };
    expect(differing(({ query }) => query)).toBeGreaterThan(0.95);
    expect(differing(({ answer }) => answer)).toBeGreaterThan(0.95);
    expect(differing(({ tools }) => tools[0] && JSON.stringify(tools[0].result))).toBeGreaterThan(0.75);
    expect(differing(({ traceId }) => traceId)).toBe(1);
  });

  it("follow each other without end in dumps of a wanted size", () => {
    const stream = new DumpStream(recordings.slice(0, 4).map((one) => new Replica(one)));
    const [first, second] = [stream.take(300), stream.take(300)];
    const traceIds = ({ lines }: typeof first) => new Set(lines.join("").match(/"traceId":"[0-9a-f]+"/g));
    expect(Math.min(first.spans, second.spans)).toBeGreaterThanOrEqual(300);
    expect(traceIds(first).size).toBe(first.runs);
    expect([...traceIds(first)].filter((id) => traceIds(second).has(id))).toEqual([]);
    expect(first.lines.every((line) => line.endsWith("}\n"))).toBe(true);
  });

  it("become other runs when the marks of an encoded body are overwritten", () => {
    const [body = new Uint8Array()] = realBodies(1).protobuf;
    const places = markPlaces(body);
    const sent = body.slice();
    renumberMarks(sent, places, 0xabcd);
    expect(places.length).toBeGreaterThan(500);
    expect(readTraces(sent)).toMatchObject({ ok: true, batch: { spanCount: expect.any(Number) as number } });
    expect(
      Buffer.from(sent)
        .toString("latin1")
        .match(/e0e1[0-9a-f]{4}abcd/g),
    ).toHaveLength(places.length);
    expect(withoutMarks(Buffer.from(sent).toString("latin1"))).toBe(
      withoutMarks(Buffer.from(body).toString("latin1")),
    );
  });
});
