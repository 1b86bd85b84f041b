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
