import { bodiesOf } from "../data/bodies.ts";
import type { BodyProfile } from "../data/requests.ts";
import type { Case, Figure } from "../harness/case.ts";
import { costOf, startDiscarding, startServe, warm } from "../harness/measured.ts";
import { conclude, type Result } from "../harness/result.ts";
import { Sender } from "../harness/sender.ts";

/** CPU per span of `serve` with a spec, divided by that of a server that discards bodies. Both run on the same core, until idle. */
export const receive: Case = {
  name: "receive",
  figures: [
    against("real", "http"),
    against("genai", "http", 4.5),
    against("lean", "http"),
    against("plain", "http", 5.5),
    against("small", "http", 1.6),
    against("genai", "grpc"),
  ],
};

function against(profile: BodyProfile, protocol: "http" | "grpc", atMost?: number): Figure {
  const name = `receive.${protocol}.${profile}`;
  return {
    names: [name],
    rows: atMost === undefined ? [] : ["L1"],
    measure: async ({ rounds }): Promise<Result[]> => {
      const count = profile === "small" ? 1000 : 24;
      const bodies = bodiesOf(profile, profile === "small" ? 512 : 16);
      const ours = await startServe(profile === "real" ? { agent: "*" } : {});
      const other = await startDiscarding();
      const sender = new Sender(bodies, protocol === "grpc" ? "grpc" : "protobuf");
      const plain = new Sender(bodies);
      try {
        await warm(ours, sender);
        await warm(other, plain);
        const ratios: number[] = [];
        for (let round = 0; round < rounds; round++)
          ratios.push((await costOf(ours, sender, count)) / (await costOf(other, plain, count)));
        const what = `CPU of serve with a spec over ${protocol} / discarding the bodies over HTTP`;
        return [
          conclude({ name, what, ...(atMost === undefined ? {} : { row: "L1", goal: { atMost } }) }, ratios),
        ];
      } finally {
        await ours.stop();
        await other.stop();
      }
    },
  };
}
