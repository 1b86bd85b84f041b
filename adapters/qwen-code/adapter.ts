import type { Adapter } from "../adapter-type.ts";
import { producers } from "./producers.ts";

/** Qwen Code. Its spans follow Claude Code's names and OpenTelemetry's conventions, its log records Gemini CLI's. */
export const qwenCode: Adapter = {
  dialect: "qwen-code",
  producers,
  scopes: ["qwen-code"],
  fields: { agent: ["subagent_name", "qwen-code.subagent.name"] },
};
