import type { JudgePort, JudgeReplied, JudgeReply, JudgeRequest, JudgeUsage } from "./port.ts";

const MORE_ROOM = 4;

/** Returns a port that asks once more if a reply is unusable. After a truncated reply, the second request has a higher token limit. */
export function withRepair(port: JudgePort): JudgePort {
  return {
    unavailable: (model) => port.unavailable(model),
    ask: async (request) => {
      const first = await port.ask(request);
      const problems = first.ok ? request.check(first.json) : [];
      if (!first.ok || problems.length === 0) return first;
      return joined(first, await port.ask(repaired(request, first, problems)));
    },
  };
}

/** Returns the second request. The second request describes the problem without quoting the first reply, which may contain judged text. */
function repaired(request: JudgeRequest, reply: JudgeReplied, problems: readonly string[]): JudgeRequest {
  const note = reply.cutOff ? "it was too long and was cut off; be brief" : problems.join("; ");
  return {
    ...request,
    maxTokens: reply.cutOff ? request.maxTokens * MORE_ROOM : request.maxTokens,
    user: `${request.user}\n\nYour last reply could not be used: ${note}. Reply again, with nothing but the JSON object.`,
  };
}

function joined(first: JudgeReplied, second: JudgeReply): JudgeReply {
  const durationMs = first.durationMs + second.durationMs;
  if (!second.ok) return { ...second, durationMs };
  return { ...second, durationMs, usage: addUsage(first.usage, second.usage) };
}

function addUsage(a: JudgeUsage, b: JudgeUsage): JudgeUsage {
  const sum = (x: number | null, y: number | null): number | null =>
    x === null || y === null ? null : x + y;
  return {
    input: sum(a.input, b.input),
    output: sum(a.output, b.output),
    cached: sum(a.cached, b.cached),
    cacheWrite: sum(a.cacheWrite ?? null, b.cacheWrite ?? null),
  };
}
