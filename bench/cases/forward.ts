import { cutOut } from "../../src/export/forward/tail/held-bodies.ts";
import { spanAt } from "../../src/otlp/rows/batch.ts";
import { SpanColumn } from "../../src/otlp/rows/columns.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { bodiesOf } from "../data/bodies.ts";
import { encode, encodeMessage, toMessage } from "../data/protobuf.ts";
import { requests } from "../data/requests.ts";
import type { Case, Settings } from "../harness/case.ts";
import { Child, idleUsage, warm } from "../harness/child.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";

/** Sending on what came in: whole, against a server that drops it; a part of it, against encoding that part. */
export const forward: Case = {
  name: "forward",
  figures: (["whole", "part"] as const).flatMap((share) =>
    (["genai", "plain"] as const).map((profile) => ({
      names: [`forward.${share}.${profile}`],
      rows: ["G13"],
      measure: async (settings: Settings) => [
        await (share === "whole" ? whole(profile, settings) : part(profile, settings)),
      ],
    })),
  ),
};

const REQUESTS = 48;

/** Nothing is evaluated on either side, so that what is compared is sending on. */
async function whole(profile: "genai" | "plain", { rounds }: Settings): Promise<Result> {
  const backend = await Child.start({ kind: "discard" }, "others");
  const forwardTo = `http://127.0.0.1:${backend.ports.http}`;
  const forwarding = await Child.start({ kind: "live", sampled: 0, forwardTo });
  const alone = await Child.start({ kind: "live", sampled: 0 });
  const discard = await Child.start({ kind: "discard" });
  const sender = new Sender(bodiesOf(profile, 16));
  const cost = async (child: Child): Promise<number> => {
    const before = await child.usage();
    await sender.http(child.ports.http, REQUESTS, 4);
    return (await idleUsage(child)).cpu - before.cpu;
  };
  const round = async (): Promise<number> =>
    ((await cost(forwarding)) - (await cost(alone))) / (await cost(discard));
  try {
    await Promise.all([forwarding, alone, discard].map((child) => warm(child, sender)));
    const shares: number[] = [];
    for (let at = 0; at < rounds; at++) shares.push(await round());
    const what = "CPU that sending on adds / discard over HTTP";
    return conclude({ name: `forward.whole.${profile}`, row: "G13", what, goal: { atMost: 2.5 } }, shares);
  } finally {
    for (const child of [forwarding, alone, discard, backend]) child.stop();
  }
}

/** Every third trace of a request. */
async function part(profile: "genai" | "plain", settings: Settings): Promise<Result> {
  const given = [...requests(profile, 16)];
  const batches = given.map(encode).flatMap((body) => {
    const read = readTraces(body);
    return read.ok ? [read.batch] : [];
  });
  const wanted = batches.map(
    ({ rows, spanCount }) =>
      new Set(
        Array.from({ length: spanCount }, (_, row) => rows[spanAt(row) + SpanColumn.bytes] ?? 0).filter(
          (_, row) => row % 3 === 0,
        ),
      ),
  );
  const parts = given.map(({ resourceSpans }) => ({
    resourceSpans: resourceSpans.map((group) => ({
      ...group,
      scopeSpans: group.scopeSpans.map(({ scope, spans }) => ({
        scope,
        spans: spans.filter((_, row) => row % 3 === 0),
      })),
    })),
  }));
  const own = (): void => batches.forEach((batch, at) => void cutOut(batch, wanted[at] ?? new Set()));
  const messages = parts.map(toMessage);
  const other = (): void => messages.forEach((message) => void encodeMessage(message));
  const what = "protobufjs encode of a third of the spans / cutting them out";
  return conclude(
    { name: `forward.part.${profile}`, row: "G13", what, goal: { atLeast: 8 } },
    await ratios(other, own, settings),
  );
}
