import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { conclude, type Result } from "../harness/result.ts";
import { evalSetOf, runAgentevals, saidByAgentevals } from "./agentevals.ts";
import { expectationsOf, type Kind, type Said, toldRight } from "./expectations.ts";
import { saidByUs, specOf, testDump } from "./ours.ts";
import { type Program, run, type Took } from "./program.ts";
import { dumpOf, type Recording } from "./recordings.ts";
import { figuresOf, inRounds } from "./rounds.ts";
import type { Setting } from "./setting.ts";

/** Both read the same dumps. What is measured is made of the recordings that both tell right, so that both have the same to do. */
export async function* againstAgentevals(program: Program, setting: Setting): AsyncGenerator<Result[]> {
  const { home, recordings } = setting;
  const dump = join(home, "recorded.jsonl");
  writeFileSync(dump, recordings.map(({ lines }) => lines).join(""));
  const ours = {
    true: await ourSay(dump, recordings, "true", home),
    wrong: await ourSay(dump, recordings, "wrong", home),
  };
  const theirs = {
    true: await theirSay(program, dump, recordings, "true", home),
    wrong: await theirSay(program, dump, recordings, "wrong", home),
  };
  const byTrace = ({ traceId }: Recording): string => traceId;
  const own = toldRight(recordings, ours, byTrace);
  const right = toldRight(recordings, theirs, byTrace);
  const what = `of ${recordings.length} recordings told right: by agentevals ${program.version} ${right.length}, by ours ${own.length}`;
  yield [
    conclude({ name: "agentevals.told", unit: "", better: "more", what }, [right.length / recordings.length]),
  ];
  const both = right.filter((one) => own.includes(one));
  if (both.length === 0) throw new Error("there is no recording that both tell right");
  const { runs } = setting;
  yield measured(program, setting, { both, runs: 1, name: "agentevals.one", answer: false });
  yield measured(program, setting, { both, runs, name: "agentevals", answer: false });
  yield measured(program, setting, { both, runs, name: "agentevals.answer", answer: true });
}

interface Load {
  readonly name: string;
  readonly both: readonly Recording[];
  readonly runs: number;
  /** Whether theirs compares answers, too; ours always does. */
  readonly answer: boolean;
}

async function measured(program: Program, { home, rounds }: Setting, load: Load): Promise<Result[]> {
  const { name, both, runs, answer } = load;
  const dump = join(home, `${name}.jsonl`);
  writeFileSync(dump, dumpOf(both, runs));
  const files = filesFor(both, "true", home);
  const pairs = await inRounds(rounds, {
    ours: async () =>
      allPassed(await run(testDump(dump, files.spec), { home, codes: [0, 2] }), saidByUs, runs),
    theirs: async () =>
      allPassed(
        await run(runAgentevals(program.path, dump, files.evalSet, answer), { home, codes: [0, 1] }),
        saidByAgentevals,
        runs,
      ),
  });
  const asked = answer ? "tools and answer" : "tools";
  const what = `a dump of ${runs}, tracejury test / agentevals ${program.version} (${asked})`;
  return figuresOf({ name, what, runs }, pairs);
}

/** @throws Error when it did not judge all: then it did not do what is measured */
function allPassed(took: Took, saidOf: (stdout: string) => Said, runs: number): Took {
  const { passed } = saidOf(took.stdout);
  if (passed.size !== runs) throw new Error(`${passed.size} of ${runs} runs passed, which all should`);
  return took;
}

async function ourSay(
  dump: string,
  recordings: readonly Recording[],
  kind: Kind,
  home: string,
): Promise<Said> {
  const { spec } = filesFor(recordings, kind, home);
  return saidByUs((await run(testDump(dump, spec), { home, codes: [0, 1, 2] })).stdout);
}

async function theirSay(
  { path }: Program,
  dump: string,
  recordings: readonly Recording[],
  kind: Kind,
  home: string,
): Promise<Said> {
  const { evalSet } = filesFor(recordings, kind, home);
  const { stdout } = await run(runAgentevals(path, dump, evalSet, false), { home, codes: [0, 1] });
  return saidByAgentevals(stdout);
}

function filesFor(
  recordings: readonly Recording[],
  kind: Kind,
  home: string,
): { spec: string; evalSet: string } {
  const expected = expectationsOf(recordings, kind);
  const spec = join(home, `${kind}.spec.yaml`);
  const evalSet = join(home, `${kind}.evalset.json`);
  writeFileSync(spec, specOf(expected));
  writeFileSync(evalSet, evalSetOf(expected));
  return { spec, evalSet };
}
