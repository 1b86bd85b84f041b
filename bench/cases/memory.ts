import { bodiesOf } from "../data/bodies.ts";
import type { Case, Settings } from "../harness/case.ts";
import { heldBytes } from "../harness/held.ts";
import { conclude, type Result } from "../harness/result.ts";

/** What a buffered span costs of the resident set, against 1.2 times its bytes on the wire and 200 more. */
export const memory: Case = {
  name: "memory",
  figures: (["genai", "lean", "plain"] as const).map((profile) => ({
    names: ["", "objects.", "bytes."].map((of) => `memory.${of}${profile}`),
    rows: ["P3", "G8"],
    measure: (settings) => measured(profile, settings),
  })),
};

/** The same in every round but for a hundredth: one is enough unless many are asked for. */
function measured(profile: "genai" | "lean" | "plain", { rounds }: Settings): Result[] {
  const { protobuf, wireBytes } = bodiesOf(profile, 16);
  const spans = profile === "genai" ? 50_000 : 150_000;
  const most = Math.ceil(rounds / 3);
  const held = heldBytes("rows", protobuf, spans, most);
  const asObjects = heldBytes("objects", protobuf, spans / 4, most);
  const shares = held.map((bytes) => bytes / (1.2 * wireBytes + 200));
  const what = "resident bytes of a buffered span";
  return [
    conclude(
      { name: `memory.${profile}`, row: "P3", what: `${what} / (1.2 wire + 200)`, goal: { atMost: 1 } },
      shares,
    ),
    conclude(
      {
        name: `memory.objects.${profile}`,
        row: "G8",
        what: "the same as protobufjs objects / ours",
        goal: { atLeast: 4 },
      },
      held.map((bytes, round) => (asObjects[round] ?? Number.NaN) / bytes),
    ),
    conclude({ name: `memory.bytes.${profile}`, what, unit: "B" }, held),
  ];
}
