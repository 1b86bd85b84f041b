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

/** One comparison: as whole processes in turn, over so many runs. */
interface Load {
  readonly name: string;
  readonly what: string;
  readonly runs: (both: readonly Recording[]) => number;
  readonly ours: Side;
  readonly theirs: Side;
}

/** Where a command is that is not on the PATH. */
const place = (name: Name) => ({
  absent: process.env[name.toUpperCase()] ?? "",
  shown: "PATH",
  help: `where the command is, if not on the PATH; ${name.toUpperCase()} in the environment says it, too`,
});

await run({
  script: "long -- bench/peers",
  what: `Other evaluators and tracejury judge the same recorded runs by the same expectations, as whole processes in turn, each pinned to one core. No
model is asked, and nothing leaves this machine. What is not installed is left out, and said so.`,
  only: `one of them (${names.join(", ")})`,
  isKnown: (name) => names.some((one) => one === name),
  own: {
    runs: { absent: "1000", shown: "1000", help: "runs in the large dump" },
    asks: { absent: "12", shown: "12", help: "how often each query is put to an agent" },
    agentevals: place("agentevals"),
    promptfoo: place("promptfoo"),
    recordings: {
      absent: adapters,
      shown: "FOLDER",
      help: "NAME.jsonl beside NAME.expected.json, at any depth; the adapters' fixtures when not given",
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
    what: `a dump of ${many}, tracejury test / agentevals ${program.version} (tools${answer ? " and answer" : ""})`,
    runs: () => many,
    ours: ours(many),
    theirs: agentevals(program, many, answer),
  });
  const asking = (load: string, times: number): Load => ({
    name: `promptfoo${load}`,
    what: `each query asked ${times} times, tracejury test --url / promptfoo ${program.version} eval`,
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
  const what = `of ${recordings.length} recordings told right: by ${name} ${program.version} ${right.length}, by ours ${own.length}`;
  const share = right.length / recordings.length;
  report.add([conclude({ name: `${name}.told`, unit: "", better: "more", what }, [share])]);
  const both = right.filter((one) => own.includes(one));
  if (both.length === 0) throw new Error("there is no recording that both tell right");
  for (const load of loadsOf(name, program, asked)) {
    const isAsking = name === "promptfoo";
    report.add([await compared(load, isAsking ? firstOfEach(both) : both, asked.rounds, home)]);
  }
}

/** The recordings that a side passes with the true expectations and fails with wrong ones. */
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

/** CPU of ours divided by theirs, round by round; every other round the other side begins. */
async function compared(
  load: Load,
  both: readonly Recording[],
  rounds: number,
  home: string,
): Promise<Result> {
  const runs = load.runs(both);
  const cost = async (side: Side): Promise<number> => {
    const { took, passed } = await side(both, "true", home);
    if (passed.size !== runs) throw new Error(`${passed.size} of ${runs} runs passed, which all should`);
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
