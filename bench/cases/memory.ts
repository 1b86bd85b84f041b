import { bodiesOf } from "../data/bodies.ts";
import type { Case } from "../harness/case.ts";
import { heldBytes } from "../harness/held.ts";
import { conclude } from "../harness/result.ts";

/** Resident memory per buffered span, divided by 1.2 times its bytes on the network plus 200 bytes. */
export const memory: Case = {
  name: "memory",
  figures: (["genai", "lean", "plain"] as const).map((profile) => ({
    names: ["", "bytes."].map((of) => `memory.${of}${profile}`),
    rows: ["P3"],
    measure: ({ rounds }) => {
      const { protobuf, wireBytes } = bodiesOf(profile, 16);
      // Rounds differ by about 1 %, so a third of the rounds is enough.
      const held = heldBytes(protobuf, profile === "genai" ? 50_000 : 150_000, Math.ceil(rounds / 3));
      const what = "resident bytes per buffered span";
      const told = {
        row: "P3",
        what: `${what} / (1.2 × bytes on the network + 200)`,
        goal: { atMost: 1 },
      } as const;
      return [
        conclude(
          { name: `memory.${profile}`, ...told },
          held.map((bytes) => bytes / (1.2 * wireBytes + 200)),
        ),
        conclude({ name: `memory.bytes.${profile}`, what, unit: "B" }, held),
      ];
    },
  })),
};
