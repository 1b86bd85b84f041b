import { describe, expect, it } from "vitest";
import { AssembledRun } from "../../src/runs/assembled-run.ts";
import { replayed } from "../support/replayed.ts";
import {
  type Attributes,
  calls,
  type Dialect,
  openinference,
  otel,
  type Requested,
  returns,
  type Said,
  says,
  Story,
  type Turn,
  user,
} from "../support/talk.ts";

const gauge = (id: string, result: string): NonNullable<Turn["uses"]> => ({
  call: { id, name: "gauge", arguments: { day: id } },
  result,
});
const talk: readonly Turn[] = [
  { asked: "How high is the river?", uses: gauge("c1", "3.1"), answer: "It is at 3.1 metres." },
  { asked: "And yesterday?", uses: gauge("c2", "2.8"), answer: "Yesterday it was at 2.8 metres." },
  { asked: "Is that dangerous?", answer: "No, the alarm is at 4 metres." },
];

/** What three runs of `talk` have in common, whoever wrote them down. */
const threeRuns = [
  { query: talk[0]?.asked, answer: talk[0]?.answer, tools: [{ name: "gauge", result: "3.1" }], llmCalls: 2 },
  { query: talk[1]?.asked, answer: talk[1]?.answer, tools: [{ name: "gauge", result: "2.8" }], llmCalls: 2 },
  { query: talk[2]?.asked, answer: talk[2]?.answer, tools: [], llmCalls: 1 },
];
/** Ten for each message that a call was sent: the history that each turn begins with grows. */
const inputTokens = [10 * (1 + 3), 10 * (5 + 7), 10 * 9];

const workflow = { "gen_ai.operation.name": "invoke_workflow" };

type Container = (story: Story, turns: (parent: string) => void) => void;

const around =
  (name: string, attributes: Attributes, isKnown = true): Container =>
  (story, turns) =>
    story.around(undefined, name, { ...attributes, ...(isKnown ? { "session.id": "thread-7" } : {}) }, turns);

const situations: readonly (readonly [string, Dialect, Container])[] = [
  [
    "trace() of the Agents SDK, OpenInference",
    openinference,
    around("support", { "openinference.span.kind": "AGENT" }),
  ],
  [
    "trace() of the Agents SDK, OpenTelemetry",
    otel,
    around(
      "invoke_workflow support",
      { "gen_ai.operation.name": "invoke_workflow", "gen_ai.conversation.id": "thread-7" },
      false,
    ),
  ],
  ["a notebook", otel, around("notebook", {})],
  ["a chain around a chat", openinference, around("chat", { "openinference.span.kind": "CHAIN" })],
  ["a websocket's server", otel, around("GET /ws", { "http.request.method": "GET" })],
];

async function told(dialect: Dialect, container: Container) {
  const story = new Story(dialect);
  const history: Said[] = [];
  container(story, (parent) => {
    for (const turn of talk) story.agent(parent, "watcher", (id) => story.turn(id, history, turn));
  });
  return await replayed(story.document);
}

it.each(situations)(
  "three turns of one conversation in one trace are three runs: %s",
  async (_, dialect, container) => {
    const runs = await told(dialect, container);
    expect(runs).toMatchObject(threeRuns);
    expect(runs.map(({ usage }) => usage.input)).toEqual(inputTokens);
    expect(runs.map(({ conversationId }) => conversationId)).toEqual(["thread-7", "thread-7", "thread-7"]);
    expect(runs.map(({ agent }) => agent)).toEqual(["watcher", "watcher", "watcher"]);
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(3);
    expect(runs.map(({ complete }) => complete)).toEqual([true, true, true]);
    for (const run of runs) {
      const explained = run instanceof AssembledRun ? run.explain() : [];
      expect(explained.find(({ fact }) => fact === "conversation_id")?.from).toHaveLength(1);
    }
  },
);

const withoutAgent = async (dialect: Dialect, container: Container, lost: number) => {
  const story = new Story(dialect);
  const history: Said[] = [];
  container(story, (parent) => {
    for (const [at, turn] of talk.entries()) {
      story.agent(parent, "watcher", (id) => story.turn(id, history, turn));
      // A span is written when it ends: the agent's is the last.
      if (at === lost) story.spans.pop();
    }
  });
  return await replayed(story.document);
};

it.each([0, 1, 2].flatMap((lost) => situations.map((situation) => [lost, ...situation] as const)))(
  "three turns of one conversation, of which turn %d, %s, lost its agent's span, are three runs, of which that one is not complete",
  async (lost, _, dialect, container) => {
    const runs = await withoutAgent(dialect, container, lost);
    expect(runs).toMatchObject(threeRuns);
    expect(runs.map(({ usage }) => usage.input)).toEqual(inputTokens);
    expect(runs.map(({ complete }) => complete)).toEqual([0, 1, 2].map((at) => at !== lost));
  },
);

const leaked = async (dialect: Dialect) => {
  const story = new Story(dialect);
  const history: Said[] = [];
  let last: string | undefined;
  for (const turn of talk) {
    story.agent(last, "watcher", (agent) => {
      story.around(agent, "step", {}, (step) => {
        story.turn(step, history, turn);
        last = step;
      });
    });
  }
  return await replayed(story.document);
};

it.each([
  ["OpenTelemetry", otel],
  ["OpenInference", openinference],
] as const)(
  "three turns, each of which begins below a span of the turn before that has ended, are three runs: %s",
  async (_, dialect) => {
    const runs = await leaked(dialect);
    expect(runs).toMatchObject(threeRuns);
    expect(runs.map(({ usage }) => usage.input)).toEqual(inputTokens);
    expect(runs.map(({ agent, handoffs }) => [agent, handoffs])).toEqual(talk.map(() => ["watcher", []]));
  },
);

it("inspect --explain says why a turn is a run of its own, and where its words stand", async () => {
  const [, second] = await told(otel, around("invoke_workflow support", workflow));
  const explained = second instanceof AssembledRun ? second.explain() : [];
  expect(explained[0]).toMatchObject({
    fact: "run_id",
    from: [{ span: "chat small", value: talk[1]?.asked }],
    passedOver: [{ span: "invoke_workflow support" }],
  });
});

const draft = "Rivers rise in spring, when the snow of the mountains melts.";
const critique = "Name the river, and say by how many metres it rises.";
const better = "The Rhine rises by two metres in spring, when the snow of the Alps melts.";
const task = user("Write a sentence about rivers.");
const handover = calls("h1", "transfer_to_poet", {});

interface Together {
  readonly title: string;
  /** `parent`: below what the agents lie. */
  readonly tell: (story: Story, parent: string) => void;
  readonly last: string;
  readonly answer: string;
}

/** Each is one execution for one query, by several agents. */
const together: readonly Together[] = [
  {
    title: "a group chat, in which each agent hears the others as users",
    last: "writer",
    answer: better,
    tell: (story, parent) => {
      story.agent(parent, "writer", (id) => story.chat(id, [task], says(draft)));
      story.agent(parent, "critic", (id) => story.chat(id, [task, user(draft, "writer")], says(critique)));
      story.agent(parent, "writer", (id) =>
        story.chat(id, [task, says(draft), user(critique, "critic")], says(better)),
      );
    },
  },
  {
    title: "a critic's loop, in which a program passes on the words",
    last: "writer",
    answer: better,
    tell: (story, parent) => {
      const verdict = JSON.stringify({ score: "poor", feedback: critique });
      story.agent(parent, "writer", (id) => story.chat(id, [task], says(draft)));
      story.agent(parent, "critic", (id) => story.chat(id, [task, says(draft)], says(verdict)));
      story.agent(parent, "writer", (id) =>
        story.chat(id, [task, says(draft), user(`Feedback: ${critique}`)], says(better)),
      );
    },
  },
  {
    title: "a chain, in which each agent works on what the one before wrote",
    last: "critic",
    answer: "Good.",
    tell: (story, parent) => {
      story.agent(parent, "writer", (id) => story.chat(id, [task], says(draft)));
      story.agent(parent, "editor", (id) => story.chat(id, [user(draft)], says(better)));
      story.agent(parent, "critic", (id) => story.chat(id, [user(`Judge this: ${better}`)], says("Good.")));
    },
  },
  {
    title: "a hand-over from one agent to the next",
    last: "poet",
    answer: better,
    tell: (story, parent) => {
      story.agent(parent, "triage", (id) => story.chat(id, [task], handover));
      story.agent(parent, "poet", (id) =>
        story.chat(id, [task, handover, returns("h1", "ok")], says(better)),
      );
    },
  },
  {
    title: "agents with code between them, whose output comes as a user's words",
    last: "coder",
    answer: better,
    tell: (story, parent) => {
      const run: Requested = { id: "x1", name: "run_code", arguments: { code: "read()" } };
      const output = "Traceback: the station 'north' does not exist";
      story.agent(parent, "coder", (id) => {
        story.chat(id, [task], { role: "assistant", call: run });
        story.tool(id, run, output);
      });
      story.agent(parent, "coder", (id) =>
        story.chat(id, [task, user(`exitcode: 1 (failed)\n${output}`)], says(better)),
      );
    },
  },
];

const containers = [
  ["under a workflow", "invoke_workflow team", workflow],
  ["under a server's request", "POST /write", { "http.request.method": "POST" }],
] as const;

describe.each(containers)("one run of several agents, %s", (_, name, attributes) => {
  it.each(together)("$title; and another when the user speaks again", async ({ tell, last, answer }) => {
    const story = new Story(otel);
    const next = user("Now write one about lakes, please.");
    story.around(undefined, name, attributes, (parent) => {
      tell(story, parent);
      story.agent(parent, last, (id) => story.chat(id, [task, says(answer), next], says("Lakes freeze.")));
    });
    expect(await replayed(story.document)).toMatchObject([
      { query: task.text, answer },
      { query: next.text, answer: "Lakes freeze." },
    ]);
  });
});

const parallel = (parentName: string, attributes: Attributes): Story => {
  const story = new Story(otel);
  story.around(undefined, parentName, attributes, (parent) => {
    for (const name of ["north", "south"]) {
      const started = story.nowMs;
      story.agent(parent, name, (id) => story.chat(id, [user(`The river in the ${name}?`)], says("High.")));
      if (name === "north") story.goTo(started);
    }
  });
  return story;
};

it("agents that work at the same time are several runs, by query, where no agent or workflow is around them", async () => {
  expect(await replayed(parallel("POST /all", {}).document)).toHaveLength(2);
});

const MINUTE = 60_000;
const approve: Requested = { id: "a1", name: "delete_file", arguments: { path: "old.txt" } };
const clean = user("Delete the old file.");
const requested: Said = { role: "assistant", call: approve };
const deleted = "The file is gone.";

/** An agent that stops for an approval, and goes on with the tool when a person has agreed. */
function resumed(story: Story, later: Story, parent: string | undefined): void {
  later.agent(parent, "cleaner", (id) => {
    later.tool(id, approve, "ok");
    later.chat(id, [clean, requested, returns(approve.id, "ok")], says(deleted));
  });
  story.agent(parent, "cleaner", (id) => story.chat(id, [clean], requested));
}

describe("a run that waits for an approval", () => {
  it.each([
    ["five minutes", 5 * MINUTE, 1],
    ["just under an hour", 59 * MINUTE, 1],
    ["an hour", 60 * MINUTE, 2],
    ["a day", 24 * 60 * MINUTE, 2],
  ])("in two traces, after %s", async (_, pauseMs, count) => {
    const [first, second] = [new Story(otel), new Story(otel, { trace: "u", atMs: pauseMs + 50 })];
    resumed(first, second, undefined);
    const runs = await replayed(first.document, second.document);
    expect(runs).toHaveLength(count);
    expect(runs.at(-1)).toMatchObject({ answer: deleted, tools: [{ name: "delete_file", executed: true }] });
  });

  it.each([
    ["five minutes", 5 * MINUTE, 1],
    ["an hour", 60 * MINUTE, 2],
  ])("in one trace, after %s", async (_, pauseMs, count) => {
    const story = new Story(otel);
    story.around(undefined, "GET /ws", {}, (parent) => {
      story.agent(parent, "cleaner", (id) => story.chat(id, [clean], requested));
      story.wait(pauseMs);
      story.agent(parent, "cleaner", (id) => {
        story.tool(id, approve, "ok");
        story.chat(id, [clean, requested, returns(approve.id, "ok")], says(deleted));
      });
    });
    expect(await replayed(story.document)).toHaveLength(count);
  });
});
