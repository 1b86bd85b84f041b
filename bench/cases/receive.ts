import { setTimeout as sleep } from "node:timers/promises";
import { bodiesOf } from "../data/bodies.ts";
import type { Profile } from "../data/requests.ts";
import type { Case } from "../harness/case.ts";
import { Child, type Usage } from "../harness/child.ts";
import { conclude, type Goal, type Result } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";

/** Microseconds of CPU in 300 ms that timers alone may take. */
const IDLE_US = 25_000;

/** `serve` with a spec, all of it, against a server of `node:http` that drops what it reads: CPU of the process a request. */
export const receive: Case = {
  name: "receive",
  run: async ({ rounds }) => {
    const results: Result[] = [];
    const goals: readonly [Profile, "http" | "grpc", Goal | undefined][] = [
      ["genai", "http", { atMost: 5 }],
      ["genai", "grpc", undefined],
      ["lean", "http", undefined],
      ["plain", "http", undefined],
      ["small", "http", undefined],
    ];
    for (const [profile, protocol, goal] of goals)
      results.push(await compare(profile, protocol, goal, Math.min(rounds, 5)));
    return results;
  },
};

async function compare(
  profile: Profile,
  protocol: "http" | "grpc",
  goal: Goal | undefined,
  rounds: number,
): Promise<Result> {
  const bodies = bodiesOf(profile, profile === "small" ? 512 : 16);
  const count = profile === "small" ? 1000 : 24;
  const [live, discard] = await Promise.all([Child.start("live"), Child.start("discard")]);
  const sender = new Sender(bodies);
  const cost = async (child: Child, own: boolean): Promise<number> => {
    const before = await child.usage();
    if (own && protocol === "grpc") await sender.grpc(child.ports.grpc, count, 4);
    else await sender.http(child.ports.http, count, 4);
    const after = own ? await idleUsage(child) : await child.usage();
    return (after.cpu - before.cpu) / count;
  };
  try {
    for (let warm = 0; warm < 2; warm++) await Promise.all([cost(live, true), cost(discard, false)]);
    const measured: number[] = [];
    for (let round = 0; round < rounds; round++)
      measured.push((await cost(live, true)) / (await cost(discard, false)));
    const told = {
      name: `receive.${protocol}.${profile}`,
      what: "CPU of serve with a spec / discard over HTTP",
    };
    return conclude(goal === undefined ? told : { ...told, goal }, measured);
  } finally {
    live.stop();
    discard.stop();
  }
}

/** What the server has used once it has closed and judged all that it was sent, and works no more. */
async function idleUsage(child: Child): Promise<Usage> {
  let before = await child.usage();
  for (let quiet = 0; quiet < 3;) {
    await sleep(300);
    const now = await child.usage();
    quiet = now.cpu - before.cpu < IDLE_US ? quiet + 1 : 0;
    before = now;
  }
  return before;
}
