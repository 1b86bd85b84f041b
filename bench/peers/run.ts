import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../harness/command.ts";
import type { Asked } from "../harness/options.ts";
import type { Report } from "../harness/report.ts";
import { conclude, failed, leftOut, type Result } from "../harness/result.ts";
import { isWanted } from "../harness/table.ts";
import { findProgram, type Program } from "../harness/whole-process.ts";
import { firstOfEach, type Recording, recordingsIn } from "./recordings.ts";
import { agentevals, ours, oursAsking, promptfoo, type Side } from "./sides.ts";

const installations = {
  agentevals: "pip install agentevals-cli",
  promptfoo: "npm install -g promptfoo",
} as const;
type Name = keyof typeof installations;
const names = Object.keys(installations) as Name[];
const adapters = fileURLToPath(new URL("../../../adapters", import.meta.url));

/** One comparison over a number of runs; both programs run as whole processes, in turn. */
interface Load {
  readonly name: string;
  readonly what: string;
  readonly runs: (both: readonly Recording[]) => number;
  readonly ours: Side;
  readonly theirs: Side;
}

/** Options for the path of a program that is not on the PATH. */
const place = (name: Name) => ({
  absent: process.env[name.toUpperCase()] ?? "",
  shown: "PATH",
  help: `path of the command if it is not on the PATH; or set ${name.toUpperCase()} in the environment`,
});

await run({
  script: "long -- bench/peers",
  what: `Other evaluators and tracejury judge the same recorded runs by the same expectations. They run as whole processes in turn, pinned to one
  core, without models and without access to other machines. Evaluators that are not installed are left out.`,
  only: `an evaluator (${names.join(", ")})`,
  isKnown: (name) => names.some((one) => one === name),
  own: {
    runs: { absent: "1000", shown: "1000", help: "runs in the large dump" },
    asks: { absent: "12", shown: "12", help: "number of times each query is sent to the agent" },
    agentevals: place("agentevals"),
    promptfoo: place("promptfoo"),
    recordings: {
      absent: adapters,
      shown: "FOLDER",
      help: "folder with NAME.jsonl beside NAME.expected.json, also in subfolders; default: the adapters' fixtures",
    },
  },
  async measure(asked, report) {
    for (const name of names.filter((one) => isWanted(one, asked.only))) {
      const home = mkdtempSync(join(tmpdir(), "tracejury-peers-"));
      try {
        const program = findProgram(name, asked.own[name] || undefined, home);
        if (program === null) report.add([leftOut(name, `not installed: ${installations[name]}`)]);
        else await measurePeer(name, program, home, asked, report);
      } catch (error) {
        report.add([failed(name, null, error)]);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    }
  },
});

function loadsOf(name: Name, program: Program, { own }: Asked): readonly Load[] {
  const [runs, asks] = [Number(own["runs"]), Number(own["asks"])];
  const dump = (load: string, many: number, answer: boolean): Load => ({
    name: `agentevals${load}`,
    what: `a dump of ${many} runs, tracejury test / agentevals ${program.version} (tools${answer ? " and answer" : ""})`,
    runs: () => many,
    ours: ours(many),
    theirs: agentevals(program, many, answer),
  });
  const asking = (load: string, times: number): Load => ({
    name: `promptfoo${load}`,
    what: `each query sent ${times} times, tracejury test --url / promptfoo ${program.version} eval`,
    runs: (both) => times * firstOfEach(both).length,
    ours: oursAsking(times),
    theirs: promptfoo(program, times),
  });
  return name === "agentevals"
    ? [dump(".one", 1, false), dump("", runs, false), dump(".answer", runs, true)]
    : [asking(".one", 1), asking("", asks)];
}

async function measurePeer(
  name: Name,
  program: Program,
  home: string,
  asked: Asked,
  report: Report,
): Promise<void> {
  const recordings = recordingsIn(asked.own["recordings"] ?? adapters);
  const theirs = name === "agentevals" ? agentevals(program) : promptfoo(program, 1);
  const own = await toldRight(recordings, ours(), home);
  const right = await toldRight(recordings, theirs, home);
  const what = `share of correctly judged recordings: ${right.length} of ${recordings.length} by ${name} ${program.version}, ${own.length} by tracejury`;
  const share = right.length / recordings.length;
  report.add([conclude({ name: `${name}.told`, unit: "", better: "more", what }, [share])]);
  const both = right.filter((one) => own.includes(one));
  if (both.length === 0) throw new Error("no recording is judged correctly by both programs");
  for (const load of loadsOf(name, program, asked)) {
    const isAsking = name === "promptfoo";
    report.add([await compared(load, isAsking ? firstOfEach(both) : both, asked.rounds, home)]);
  }
}

/** The recordings that a program passes with the true expectations and fails with wrong ones. */
async function toldRight(
  recordings: readonly Recording[],
  side: Side,
  home: string,
): Promise<readonly Recording[]> {
  const { passed } = await side(recordings, "true", home);
  const { failed: wrong } = await side(recordings, "wrong", home);
  const isIn = (set: ReadonlySet<string>, { traceId, name }: Recording) => set.has(traceId) || set.has(name);
  return recordings.filter((one) => isIn(passed, one) && isIn(wrong, one));
}

/** CPU of tracejury divided by CPU of the other program, for each round. The program that runs first alternates. */
async function compared(
  load: Load,
  both: readonly Recording[],
  rounds: number,
  home: string,
): Promise<Result> {
  const runs = load.runs(both);
  const cost = async (side: Side): Promise<number> => {
    const { took, passed } = await side(both, "true", home);
    if (passed.size !== runs) throw new Error(`${passed.size} of ${runs} runs passed; all runs should pass`);
    return took.cpuUs;
  };
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await cost(round % 2 === 0 ? load.ours : load.theirs);
    const second = await cost(round % 2 === 0 ? load.theirs : load.ours);
    ratios.push(round % 2 === 0 ? first / second : second / first);
  }
  return conclude({ name: load.name, what: `CPU of ${load.what}` }, ratios);
}
