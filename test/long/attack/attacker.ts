import { setPriority } from "node:os";
import { attacks } from "./attacks.ts";

/*
 * A process that attacks: `attacker.js INDEX SECONDS HTTP GRPC ADMIN`. Prints what it did as JSON. It yields the processor to others: a real
 * attacker has one of his own.
 */

const [index = "0", seconds = "5", http = "", grpc = "", admin = ""] = process.argv.slice(2);
setPriority(19);
const attack = attacks[Number(index)];
if (attack === undefined) throw new Error(`there is no attack ${index}`);
console.log(JSON.stringify(await attack.run({ http, grpc, admin, seconds: Number(seconds) })));
process.exit(0);
