import { setPriority } from "node:os";
import type { Attack } from "./attack.ts";
import { bodyAttacks } from "./bodies.ts";
import { connectionAttacks } from "./connections.ts";
import { frameAttacks } from "./http2.ts";
import { webAttacks } from "./web.ts";

/** Every attack over the network. */
export const attacks: readonly Attack[] = [
  ...bodyAttacks,
  ...connectionAttacks,
  ...frameAttacks,
  ...webAttacks,
];

/*
 * A process that attacks: `attacker.js INDEX SECONDS HTTP GRPC ADMIN`. Prints what it did as JSON. It yields the processor to others: a real
 * attacker has one of his own.
 */
if (process.argv[1]?.endsWith("attacker.js")) {
  const [index = "0", seconds = "5", http = "", grpc = "", admin = ""] = process.argv.slice(2);
  setPriority(19);
  const attack = attacks[Number(index)];
  if (attack === undefined) throw new Error(`there is no attack ${index}`);
  console.log(JSON.stringify(await attack.run({ http, grpc, admin, seconds: Number(seconds) })));
  process.exit(0);
}
