import { gunzipSync, gzipSync } from "node:zlib";
import { bodiesOf } from "../data/bodies.ts";
import type { BodyProfile } from "../data/requests.ts";
import type { Case, Figure, Settings } from "../harness/case.ts";
import { Child, idleUsage, warm } from "../harness/child.ts";
import { conclude, type Result, type Told } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";
import type { Served } from "../harness/served.ts";

/** `serve` with a spec, all of it, against other servers on the same core: CPU of the process a request, until it is idle again. */
export const receive: Case = {
  name: "receive",
  get figures() {
    return [
      ...comparisons.map((one): Figure => {
        const { name, row } = one;
        const rows = row === undefined ? [] : [row];
        return { names: [name], rows, measure: async ({ rounds }) => [await compare(one, rounds)] };
      }),
      { names: ["receive.pause", "receive.p99"], rows: ["G9"], measure: underLoad },
      { names: ["receive.gzip.genai"], rows: ["G10"], measure: againstInflating },
    ];
  },
};

type Protocol = "http" | "grpc";

interface Comparison extends Told {
  readonly profile: BodyProfile;
  readonly measured: readonly [Served, Protocol];
  readonly other: readonly [Served, Protocol];
  /** The other's cost divided by ours instead of ours by the other's. */
  readonly inverse?: true;
}

const live: readonly [Served, Protocol] = [{ kind: "live" }, "http"];
const discard: readonly [Served, Protocol] = [{ kind: "discard" }, "http"];

const comparisons: readonly Comparison[] = [
  {
    name: "receive.http.real",
    what: "CPU of serve with a spec / discard over HTTP",
    profile: "real",
    measured: [{ kind: "live", agent: "*" }, "http"],
    other: discard,
  },
  ...([["genai", 4.5], ["lean"], ["plain", 5.5], ["small", 1.6]] as const).map(
    ([profile, atMost]): Comparison => ({
      name: `receive.http.${profile}`,
      what: "CPU of serve with a spec / discard over HTTP",
      ...(atMost === undefined ? {} : { row: "L1", goal: { atMost } }),
      profile,
      measured: live,
      other: discard,
    }),
  ),
  {
    name: "receive.grpc.genai",
    what: "CPU of serve with a spec over gRPC / discard over HTTP",
    profile: "genai",
    measured: [{ kind: "live" }, "grpc"],
    other: discard,
  },
  {
    name: "receive.objects.genai",
    row: "G3",
    what: "protobufjs objects, a map and the same checks / serve with a spec",
    goal: { atLeast: 20 },
    profile: "genai",
    measured: live,
    other: [{ kind: "objects" }, "http"],
    inverse: true,
  },
  {
    name: "receive.grpc.alone",
    row: "G4",
    what: "CPU of our receiver alone over gRPC / discard over HTTP",
    goal: { atMost: 2.5 },
    profile: "genai",
    measured: [{ kind: "receive" }, "grpc"],
    other: discard,
  },
  {
    name: "receive.grpc.js",
    row: "G4",
    what: "grpc-js that decodes nothing / our receiver alone",
    goal: { atLeast: 3 },
    profile: "genai",
    measured: [{ kind: "receive" }, "grpc"],
    other: [{ kind: "grpc-js" }, "grpc"],
    inverse: true,
  },
];

const requestsOf = (profile: BodyProfile): number => (profile === "small" ? 1000 : 24);
const senderOf = (profile: BodyProfile): Sender =>
  new Sender(bodiesOf(profile, profile === "small" ? 512 : 16));

async function compare(comparison: Comparison, rounds: number): Promise<Result> {
  const { profile, measured, other, inverse } = comparison;
  const count = requestsOf(profile);
  const sender = senderOf(profile);
  const [own, others] = await Promise.all([Child.start(measured[0]), Child.start(other[0])]);
  const cost = async (child: Child, protocol: Protocol): Promise<number> => {
    const before = await child.usage();
    if (protocol === "grpc") await sender.grpc(child.ports.grpc, count, 4);
    else await sender.http(child.ports.http, count, 4);
    return ((await idleUsage(child)).cpu - before.cpu) / count;
  };
  try {
    await Promise.all([warm(own, sender, measured[1]), warm(others, sender, other[1])]);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const ratio = (await cost(own, measured[1])) / (await cost(others, other[1]));
      ratios.push(inverse === true ? 1 / ratio : ratio);
    }
    return conclude(comparison, ratios);
  } finally {
    own.stop();
    others.stop();
  }
}

/** Pauses and answers while as much is sent as is taken, against the server that makes objects. */
async function underLoad({ rounds }: Settings): Promise<Result[]> {
  const sender = senderOf("genai");
  const [own, objects] = await Promise.all([Child.start({ kind: "live" }), Child.start({ kind: "objects" })]);
  const load = async (child: Child): Promise<{ p99: number; pause: number }> => {
    await child.usage();
    const took = await sender.http(child.ports.http, 2 * requestsOf("genai"), 4);
    const { longestPauseMs } = await idleUsage(child);
    return {
      p99: took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0,
      pause: longestPauseMs,
    };
  };
  try {
    await Promise.all([warm(own, sender), warm(objects, sender)]);
    const pauses: number[] = [];
    const shares: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { p99, pause } = await load(own);
      pauses.push(pause);
      shares.push(p99 / (await load(objects)).p99);
    }
    const row = "G9";
    return [
      conclude(
        { name: "receive.pause", row, what: "longest pause for garbage", unit: "ms", goal: { atMost: 20 } },
        pauses,
      ),
      conclude(
        {
          name: "receive.p99",
          row,
          what: "99th percentile of the answer: serve / protobufjs objects",
          goal: { atMost: 0.1 },
        },
        shares,
      ),
    ];
  } finally {
    own.stop();
    objects.stop();
  }
}

/** Zipped bodies: what inflating them alone takes, of what all of it takes. */
async function againstInflating({ rounds }: Settings): Promise<Result[]> {
  const bodies = bodiesOf("genai", 16);
  const zipped = bodies.protobuf.map((body) => gzipSync(body));
  const count = requestsOf("genai");
  const own = await Child.start({ kind: "live" });
  const sender = new Sender(bodies, (body) => gzipSync(body));
  const cost = async (): Promise<number> => {
    const before = await own.usage();
    await sender.http(own.ports.http, count, 4);
    return ((await idleUsage(own)).cpu - before.cpu) / count;
  };
  const inflating = (): number => {
    const from = process.cpuUsage();
    for (let at = 0; at < count; at++)
      gunzipSync(zipped[at % zipped.length] ?? new Uint8Array(), { chunkSize: 2 << 20 });
    const { user, system } = process.cpuUsage(from);
    return (user + system) / count;
  };
  try {
    await warm(own, sender);
    inflating();
    const shares: number[] = [];
    for (let round = 0; round < rounds; round++) shares.push(inflating() / (await cost()));
    const what = "inflating alone / serve with a spec, zipped bodies";
    return [conclude({ name: "receive.gzip.genai", row: "G10", what, goal: { atLeast: 0.65 } }, shares)];
  } finally {
    own.stop();
  }
}
