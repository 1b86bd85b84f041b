import { setPriority } from "node:os";
import type { Attack } from "./attack.ts";
import { bodyAttacks } from "./bodies.ts";
import { connectionAttacks } from "./connections.ts";
import { frameAttacks } from "./http2.ts";
import { webAttacks } from "./web.ts";

/** All attacks over the network. */
export const attacks: readonly Attack[] = [
  ...bodyAttacks,
  ...connectionAttacks,
  ...frameAttacks,
  ...webAttacks,
];

/*
 * A process that runs one attack: `attacker.js INDEX SECONDS HTTP GRPC ADMIN`. Prints the result as JSON. It has the lowest priority,
 * because a real attacker does not use the collector's processor.
 */
if (process.argv[1]?.endsWith("attacker.js")) {
  const [index = "0", seconds = "5", http = "", grpc = "", admin = ""] = process.argv.slice(2);
  setPriority(19);
  const attack = attacks[Number(index)];
  if (attack === undefined) throw new Error(`attack ${index} does not exist`);
  console.log(JSON.stringify(await attack.run({ http, grpc, admin, seconds: Number(seconds) })));
  process.exit(0);
}
