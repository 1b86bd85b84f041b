import type { BodyProfile } from "../data/requests.ts";
import type { Served } from "../harness/measured.ts";
import type { Form } from "../harness/sender.ts";
import type { Pipeline } from "./collector.ts";

/** One comparison: the settings of both servers, the requests, and the measured quantity. */
export interface Figure {
  readonly name: string;
  readonly what: string;
  readonly atMost: number;
  readonly ours: Served;
  readonly theirs: (backend: string) => Pipeline;
  readonly profile: BodyProfile;
  readonly form?: Form;
  /** Number of measured requests. */
  readonly count: number;
  readonly rate?: number;
  /** Seconds to wait after the last request, so that both servers process the traces that they buffer. */
  readonly holdS?: number;
  /** CPU per span, resident bytes per buffered span, peak resident bytes, or the 99th percentile of the response time. */
  readonly cost: "cpu" | "memory" | "peak" | "p99";
  /** Measure only the extra CPU of the journal and of forwarding: CPU of `serve` with both, minus CPU without them. */
  readonly forwards?: true;
}

type Goals = Partial<Record<BodyProfile, number>>;
type Rest = Partial<Figure> & Pick<Figure, "name" | "what">;

const HELD_S = 5;
/** Longer than sending takes, so that all traces are still in memory when it is measured. */
const HELD_ALL_S = 30;
/** Requests per second for which both servers keep up while they buffer traces. */
const offered: Goals = { genai: 20, lean: 50, plain: 100 };

/** The goals were set with these policies. */
const policies = [
  { name: "errors", type: "status_code", status_code: { status_codes: ["ERROR"] } },
  { name: "slow", type: "latency", latency: { threshold_ms: 30_000 } },
  {
    name: "model",
    type: "string_attribute",
    string_attribute: { key: "gen_ai.request.model", values: ["gpt-4o"] },
  },
  {
    name: "tokens",
    type: "numeric_attribute",
    numeric_attribute: { key: "gen_ai.usage.input_tokens", min_value: 5000, max_value: 1_000_000 },
  },
];

const sampling = (waitS: number) => (): Pipeline => ({
  processors: { tail_sampling: { decision_wait: `${waitS}s`, num_traces: 2_000_000, policies } },
});

const sending =
  (isDurable: boolean) =>
  (endpoint: string): Pipeline => {
    const queue = { queue_size: 100_000, ...(isDurable ? { storage: "file_storage" } : {}) };
    const exporters = { otlphttp: { endpoint, compression: "none", sending_queue: queue } };
    return isDurable ? { exporters, storage: { fsync: true } } : { exporters, processors: { batch: {} } };
  };

const held = (holdS: number): Partial<Figure> => ({
  ours: { holdMs: holdS * 1000 },
  theirs: sampling(holdS),
  holdS: holdS + 2,
});

export const figures: readonly Figure[] = [
  ...each({ real: 3.5, genai: 1 / 3, lean: 1 / 3, plain: 1 / 4, small: 1 / 2 }, (profile) => ({
    name: `P1.${profile}`,
    what: "CPU per span: serve with a spec / Collector otlp → nop",
  })),
  ...each({ real: 2, genai: 1 / 2.8, lean: 1 / 4, plain: 1 / 5, small: 1 / 2.5 }, (profile) => ({
    name: `P2.${profile}`,
    what: "CPU per span: serve that waits 5 s for a trace / Collector tail_sampling with the same wait",
    ...held(HELD_S),
  })),
  ...each({ real: 1.2 }, () => ({
    name: "P2.peak.real",
    what: "peak resident memory: serve that waits 5 s for a trace / Collector tail_sampling with the same wait",
    ...held(HELD_S),
    cost: "peak",
  })),
  ...each({ real: 1, genai: 1 / 3, lean: 1 / 4, plain: 1 / 4 }, (profile) => ({
    name: `P3.${profile}`,
    what: "resident bytes per buffered span: serve / Collector tail_sampling",
    ...held(HELD_ALL_S),
    count: profile === "genai" || profile === "real" ? 100 : 200,
    holdS: 0,
    cost: "memory",
  })),
  ...each({ genai: 1 / 3, plain: 1 / 5 }, (profile) => ({
    name: `P4.${profile}`,
    what: "extra CPU per span of the journal and forwarding / Collector batch → otlphttp",
    ours: { durability: "flush" },
    theirs: sending(false),
    count: 1000,
    forwards: true,
  })),
  ...each({ genai: 1 / 5, plain: 1 / 5 }, (profile) => ({
    name: `P5.${profile}`,
    what: "extra CPU per span of the journal with fsync, and forwarding / Collector file_storage with fsync",
    ours: { durability: "fsync" },
    theirs: sending(true),
    count: 500,
    forwards: true,
  })),
  ...(["json", "gzip"] as const).flatMap((form) =>
    each({ real: 3.5, genai: 1 / 2, plain: 1 / 2 }, (profile) => ({
      name: `P6.${form}.${profile}`,
      what: `CPU per span, ${form}: serve with a spec / Collector otlp → nop`,
      form,
    })),
  ),
  ...each({ real: 3.5, genai: 1 / 2, plain: 1 / 2, small: 1 }, (profile) => ({
    name: `P7.${profile}`,
    what: "CPU per span over gRPC: serve with a spec / Collector otlp → nop",
    form: "grpc",
  })),
  ...each({ genai: 1 / 4, lean: 1 / 4, plain: 1 / 4 }, (profile) => ({
    name: `P8.${profile}`,
    what: "99th percentile of the response time while traces are buffered: serve / Collector tail_sampling",
    ...held(HELD_S),
    count: 15 * (offered[profile] ?? 1),
    rate: offered[profile] ?? 1,
    cost: "p99",
  })),
];

function each(goals: Goals, make: (profile: BodyProfile) => Rest): Figure[] {
  return (Object.entries(goals) as [BodyProfile, number][]).map(([profile, atMost]): Figure => {
    const { ours = {}, ...rest } = make(profile);
    return {
      atMost,
      theirs: () => ({}),
      profile,
      count: profile === "small" ? 4000 : 96,
      cost: "cpu",
      ...rest,
      // Recorded runs have many different agents.
      ours: profile === "real" ? { ...ours, agent: "*" } : ours,
    };
  });
}
