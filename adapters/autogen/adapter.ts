import type { Adapter } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** AutoGen's core runtime. Its messages between actors are infrastructure. */
export const autogen: Adapter = {
  dialect: "autogen",
  producers,
  scopes: ["autogen-core", "autogen *"],
  names: [
    { pattern: /^autogen (?:create|send|publish|process|ack|intercept)/, role: "message", own: true },
    { pattern: /^create_agent\b/, role: "setup" },
  ],
};
