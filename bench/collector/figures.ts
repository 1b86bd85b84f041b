import type { BodyProfile } from "../data/requests.ts";
import type { Served } from "../harness/served.ts";
import type { Load } from "./load.ts";
import type { Pipeline } from "./pipelines.ts";

/** One comparison: what each side does, what it is sent, and which of its costs are divided. */
export interface Figure {
  readonly name: string;
  readonly what: string;
  readonly atMost?: number;
  readonly ours: Served & { readonly forwards?: boolean };
  readonly theirs: Pipeline;
  readonly load: Omit<Load, "seed">;
  /** What both sides are sent twice before, so that they are measured as they are after minutes and not after seconds; nothing when absent. */
  readonly warm?: Omit<Load, "seed">;
  /** CPU a span, resident bytes a span held, most resident bytes of all, or the 99th percentile of the time to the answer. */
  readonly cost: "cpu" | "memory" | "peak" | "p99";
  /** Also what this takes more of CPU than the same without, each side against itself. */
  readonly without?: { readonly ours: Served; readonly theirs: Pipeline };
}

type Goals = Partial<Record<BodyProfile, number>>;

/** Requests that are measured. */
const few = (profile: BodyProfile): number => (profile === "small" ? 4000 : 96);
/** Some 200,000 spans, twice: until then a server that judges still compiles what they have run into, which is a third of its CPU. */
const warming = (profile: BodyProfile): number => (profile === "small" ? 25_000 : 400);
/** Where nothing is read in them, it is requests that count: only after some thousand is what handles them compiled. */
const many = (profile: BodyProfile): number => (profile === "plain" ? 4000 : 2000);
/** Synced ones take the Collector ten times as long each. */
const synced = (profile: BodyProfile): number => many(profile) / 4;
const HELD_S = 5;
/** Longer than anything is sent for: all of it is held when the memory is read. */
const HELD_ALL_S = 30;
/** Requests a second while traces are held: a quarter of what the goals were measured with, so that either side keeps up. */
const offered: Goals = { genai: 20, lean: 50, plain: 100 };

const judging: Served = { kind: "live", holdMs: 500 };
const nop: Pipeline = { kind: "nop" };

export const figures: readonly Figure[] = [
  ...each({ real: 3.5, genai: 1 / 3, lean: 1 / 3, plain: 1 / 4, small: 1 / 2 }, (profile, atMost) => ({
    name: `P1.${profile}`,
    what: "CPU a span: serve with a spec / Collector otlp → nop",
    ...cpu(profile, atMost),
  })),
  ...each({ real: 2, genai: 1 / 2.8, lean: 1 / 4, plain: 1 / 5, small: 1 / 2.5 }, (profile, atMost) => ({
    name: `P2.${profile}`,
    what: "CPU a span: serve that holds for 5 s / Collector tail_sampling with the same wait",
    ...held(profile, atMost),
  })),
  {
    name: "P2.peak.real",
    what: "most resident memory of the same",
    ...held("real", 1.2),
    cost: "peak",
  },
  ...each({ real: 1, genai: 1 / 3, lean: 1 / 4, plain: 1 / 4 }, (profile, atMost) => ({
    name: `P3.${profile}`,
    what: "resident bytes a held span: serve / Collector tail_sampling",
    atMost,
    ours: { kind: "live", holdMs: HELD_ALL_S * 1000, ...specOf(profile) },
    theirs: { kind: "held", waitS: HELD_ALL_S },
    load: { profile, count: profile === "genai" || profile === "real" ? 100 : 200 },
    cost: "memory",
  })),
  ...each({ genai: 1 / 3, plain: 1 / 5 }, (profile, atMost) => ({
    name: `P4.${profile}`,
    what: "CPU a span: serve that sends on, journalled before the answer / Collector batch → otlphttp",
    ...sendingOn(profile, atMost, "flush"),
  })),
  ...each({ genai: 1 / 3, plain: 1 / 5 }, (profile, atMost) => ({
    name: `P4.relay.${profile}`,
    what: "the journal and sending on alone, nothing being read / the same",
    ...sendingOn(profile, atMost, "flush", "relay"),
  })),
  ...each({ genai: 1 / 3, plain: 1 / 5 }, (profile, atMost) => ({
    name: `P4.memory.${profile}`,
    what: "sending on alone with the queue in memory, as the Collector's is / the same",
    ...sendingOn(profile, atMost, "memory", "relay"),
  })),
  ...each({ genai: 1 / 5, plain: 1 / 5 }, (profile, atMost) => ({
    name: `P5.${profile}`,
    what: "CPU a span: the same, synced to the disk before the answer / Collector file_storage with fsync",
    ...sendingOn(profile, atMost, "fsync"),
  })),
  ...each({ genai: 1 / 5, plain: 1 / 5 }, (profile, atMost) => ({
    name: `P5.relay.${profile}`,
    what: "the journal and sending on alone, nothing being read / the same",
    ...sendingOn(profile, atMost, "fsync", "relay"),
  })),
  ...(["json", "gzip"] as const).flatMap((form) =>
    each({ real: 3.5, genai: 1 / 2, plain: 1 / 2 }, (profile, atMost) => ({
      name: `P6.${form}.${profile}`,
      what: `CPU a span, ${form}: serve with a spec / Collector otlp → nop`,
      ...cpu(profile, atMost, { form }),
    })),
  ),
  ...each({ real: 3.5, genai: 1 / 2, plain: 1 / 2, small: 1 }, (profile, atMost) => ({
    name: `P7.${profile}`,
    what: "CPU a span over gRPC: serve with a spec / Collector otlp → nop",
    ...cpu(profile, atMost, { protocol: "grpc" }),
  })),
  ...each({ genai: 1 / 4, lean: 1 / 4, plain: 1 / 4 }, (profile, atMost) => ({
    name: `P8.${profile}`,
    what: "99th percentile of the answer while traces are held: serve / Collector tail_sampling",
    atMost,
    ours: { kind: "live", holdMs: HELD_S * 1000 },
    theirs: { kind: "held", waitS: HELD_S },
    load: { profile, count: 15 * (offered[profile] ?? 0), rate: offered[profile] ?? 0 },
    warm: { profile, count: warming(profile), settleAfterS: HELD_S + 2 },
    cost: "p99",
  })),
];

function each(goals: Goals, make: (profile: BodyProfile, goal: number) => Figure): Figure[] {
  return Object.entries(goals).map(([profile, goal]) => make(profile as BodyProfile, goal));
}

function cpu(profile: BodyProfile, atMost: number, load: Partial<Load> = {}): Omit<Figure, "name" | "what"> {
  return {
    atMost,
    ours: { ...judging, ...specOf(profile) },
    theirs: nop,
    load: { profile, count: few(profile), settleAfterS: 0, ...load },
    warm: { profile, count: warming(profile), settleAfterS: 0, ...load },
    cost: "cpu",
  };
}

/** Recorded runs are of many agents. */
function specOf(profile: BodyProfile): Pick<Served, "agent"> {
  return profile === "real" ? { agent: "*" } : {};
}

function held(profile: BodyProfile, atMost: number): Omit<Figure, "name" | "what"> {
  return {
    ...cpu(profile, atMost),
    ours: { kind: "live", holdMs: HELD_S * 1000, ...specOf(profile) },
    theirs: { kind: "held", waitS: HELD_S },
    load: { profile, count: few(profile), settleAfterS: HELD_S + 2 },
    warm: { profile, count: warming(profile), settleAfterS: HELD_S + 2 },
  };
}

function sendingOn(
  profile: BodyProfile,
  atMost: number,
  durability: "memory" | "flush" | "fsync",
  kind: "live" | "relay" = "live",
): Omit<Figure, "name" | "what"> {
  const count = durability === "fsync" ? synced(profile) : many(profile);
  return {
    ...cpu(profile, atMost),
    ...(kind === "relay"
      ? { load: { profile, count, settleAfterS: 0 }, warm: { profile, count, settleAfterS: 0 } }
      : {}),
    ours: { kind, holdMs: 500, durability, forwards: true },
    theirs: { kind: durability === "fsync" ? "durable" : "batched" },
    ...(kind === "live" ? { without: { ours: judging, theirs: nop } } : {}),
  };
}
