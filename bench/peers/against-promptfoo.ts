import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askingSpan } from "../../src/replay/agent/asking-span.ts";
import { conclude, type Result } from "../harness/result.ts";
import { freePort, RecordedAgent } from "./agent.ts";
import { expectationsOf, type Kind, type Said, toldRight } from "./expectations.ts";
import { saidByUs, specOf, testAgent, testDump } from "./ours.ts";
import { type Program, run, type Took } from "./program.ts";
import { configOf, evalPromptfoo, saidByPromptfoo } from "./promptfoo.ts";
import { again, firstOfEach, type Recording } from "./recordings.ts";
import { figuresOf, inRounds } from "./rounds.ts";
import type { Setting } from "./setting.ts";

/**
 * promptfoo reads no dumps: it asks an agent and receives what it sends, as `tracejury test --url` does. Both ask the same agent, which is no part
 * of what is measured.
 */
export async function* againstPromptfoo(program: Program, setting: Setting): AsyncGenerator<Result[]> {
  const { home, recordings } = setting;
  const placed = recordings.map(inGivenTrace);
  const ours = { true: await ourSay(placed, "true", home), wrong: await ourSay(placed, "wrong", home) };
  const theirs = {
    true: saidOf(await evaluated(program, setting, recordings, "true")),
    wrong: saidOf(await evaluated(program, setting, recordings, "wrong")),
  };
  const own = new Set(toldRight(placed, ours, ({ traceId }) => traceId).map(({ name }) => name));
  const right = toldRight(recordings, theirs, ({ name }) => name);
  const what = `of ${recordings.length} recordings told right: by promptfoo ${program.version} ${right.length}, by ours ${own.size}`;
  yield [
    conclude({ name: "promptfoo.told", unit: "", better: "more", what }, [right.length / recordings.length]),
  ];
  const both = right.filter((one) => own.has(one.name));
  if (both.length === 0) throw new Error("there is no recording that both tell right");
  yield measured(program, setting, both, 1);
  yield measured(program, setting, both, setting.asks);

  function saidOf({ output }: { output: string }): Said {
    return saidByPromptfoo(readFileSync(join(home, output), "utf8"));
  }
}

async function measured(
  program: Program,
  setting: Setting,
  both: readonly Recording[],
  times: number,
): Promise<Result[]> {
  const queries = firstOfEach(both).length;
  const runs = queries * times;
  const tests = firstOfEach(both).flatMap(({ query }) => {
    const same = both.filter((one) => one.query === query);
    return Array.from({ length: times }, (_, at) => same[at % same.length]).filter(
      (one) => one !== undefined,
    );
  });
  const pairs = await inRounds(setting.rounds, {
    ours: async () => asked(setting, both, times, runs),
    theirs: async () => {
      const { took, output } = await evaluated(program, setting, tests, "true");
      const { results } = JSON.parse(readFileSync(join(setting.home, output), "utf8")) as Counted;
      passed(results.stats.successes, runs);
      return took;
    },
  });
  const name = times === 1 ? "promptfoo.one" : "promptfoo";
  const what = `${queries} queries asked ${times === 1 ? "once" : `${times} times`}, tracejury test --url / promptfoo ${program.version} eval`;
  return figuresOf({ name, what, runs }, pairs);
}

interface Counted {
  readonly results: { readonly stats: { readonly successes: number } };
}

/** @throws Error when it did not judge all: then it did not do what is measured */
function passed(count: number, runs: number): void {
  if (count !== runs) throw new Error(`${count} of ${runs} runs passed, which all should`);
}

async function asked(
  { home }: Setting,
  both: readonly Recording[],
  times: number,
  runs: number,
): Promise<Took> {
  const spec = join(home, "asked.spec.yaml");
  writeFileSync(spec, specOf(expectationsOf(both, "true")));
  const port = await freePort();
  const agent = await RecordedAgent.start(both, port);
  try {
    const took = await run(testAgent(agent.url, port, spec, times), { home, codes: [0] });
    passed(saidByUs(took.stdout).passed.size, runs);
    return took;
  } finally {
    agent.stop();
  }
}

async function evaluated(
  { path }: Program,
  { home }: Setting,
  recordings: readonly Recording[],
  kind: Kind,
): Promise<{ took: Took; output: string }> {
  const port = await freePort();
  const agent = await RecordedAgent.start(recordings, port);
  const config = join(home, "promptfooconfig.json");
  const output = "promptfoo-output.json";
  writeFileSync(config, configOf(recordings, expectationsOf(recordings, kind), { url: agent.url, port }));
  try {
    // 100: some test failed.
    return {
      took: await run(evalPromptfoo(path, config, join(home, output)), { home, codes: [0, 100] }),
      output,
    };
  } finally {
    agent.stop();
  }
}

/** As `test --url` keeps it: what the agent sends, below the span that it was asked in. */
function inGivenTrace(recording: Recording, at: number): Recording {
  const traceId = (at + 1).toString(16).padStart(32, "0");
  const spanId = "a".repeat(16);
  const now = Date.now();
  const asked = { traceId, spanId, url: "http://127.0.0.1/", startUnixMs: now, endUnixMs: now, error: null };
  const sent = again(recording, at + 1, { traceId, parentId: spanId });
  return { ...recording, traceId, lines: `${sent}${askingSpan(asked)}\n` };
}

async function ourSay(recordings: readonly Recording[], kind: Kind, home: string): Promise<Said> {
  const dump = join(home, "asked.jsonl");
  const spec = join(home, "asked.spec.yaml");
  writeFileSync(dump, recordings.map(({ lines }) => lines).join(""));
  writeFileSync(spec, specOf(expectationsOf(recordings, kind)));
  return saidByUs((await run(testDump(dump, spec), { home, codes: [0, 1, 2] })).stdout);
}
