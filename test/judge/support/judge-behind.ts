import type { JudgeSettings } from "../../../src/evaluate/judge/settings.ts";
import type { CheckResult } from "../../../src/model/verdict.ts";
import { resolveJudges } from "../../../src/judge/resolve.ts";
import type { JudgeCall } from "../../../src/judge/limits/scheduler.ts";
import type { JudgeServiceSettings } from "../../../src/judge/settings.ts";
import { fakeClock } from "./fake-clock.ts";
import { judging, type JudgingText } from "./judging.ts";
import { modelServer, type Received, type Sent } from "./model-server.ts";
import { judgeDefaults } from "../../support/settings-defaults.ts";

export const KEY = "sk-canary-0123456789abcdef";

export type Answer = (request: Received, n: number) => Sent | "hang";

/** A judge behind a real server. Waits of less than a minute pass at once. */
export async function judgeBehind(
  kind: "anthropic" | "openai",
  answer: Answer,
  more: Partial<JudgeServiceSettings> = {},
) {
  const server = await modelServer(answer);
  const clock = fakeClock({ skip: 59_999 });
  const calls: JudgeCall[] = [];
  const base = kind === "openai" ? `${server.url}/v1` : server.url;
  const env = {
    ANTHROPIC_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    ANTHROPIC_BASE_URL: base,
    OPENAI_BASE_URL: base,
  };
  const settings = { ...judgeDefaults, ...more };
  const { port } = resolveJudges([], settings, {
    env,
    clock,
    random: () => 0,
    observe: (call) => calls.push(call),
  });
  if (port === "off") throw new Error("judges are off");
  const judge = (
    correctness: JudgingText["correctness"],
    settings: JudgeSettings = {},
    about: Pick<JudgingText, "run"> = {},
  ): Promise<CheckResult[]> =>
    judging({ port, correctness, settings: { model: `${kind}/judge-1`, ...settings }, ...about });
  return { server, clock, calls, port, judge };
}
