import type { AgentSetUp } from "./agent-set-up.ts";
import type { ProposedQuery } from "../../../authoring/query-text/spec-text.ts";

/** Example query for a new spec that is not made from recorded runs. */
export const exampleQuery: ProposedQuery = {
  query: {
    id: "first-question",
    query: "What can you do for me?",
    correctness: { not_in_answer: ["as an AI language model"] },
    path: { max_tool_calls: 3 },
    cost: { max_total_tokens: 4000 },
  },
  remarks: ["Replace the query with a question to your agent."],
};

export function startConfig(): string {
  return `# Tracejury's listeners and specs. Every key is optional. "tracejury config print" shows all of them.
specs: ["specs/*.yaml"]
# export: { file: verdicts.jsonl, otlp: [{ endpoint: "http://localhost:4328" }] }
`;
}

const SET_UP_PYTHON = `      - uses: actions/setup-python@e797f83bcb11b83ae66e0230d6156d7c80228e7c # v6.0.0
        with: { python-version: "3.12" }
`;
const SET_UP_NODE = `      - uses: actions/setup-node@249970729cb0ef3589644e2896645e5dc5ba9c38 # v6.5.0
        with: { node-version: 24, package-manager-cache: false }
`;

const INSTRUMENTED_ARGS = `          # A warning fails the build, too:
          # args: --fail-on warn
`;
const RECORDED_ARGS = `          # The agent sends no telemetry: its model calls are recorded. --fail-on warn: a warning fails the build, too.
          args: --models record:tracejury-reports/recorded.jsonl
`;

/**
 * Returns a GitHub workflow that runs on each push. The workflow sends each query of the specs to the agent, judges the runs, and comments
 * on pull requests. If the agent has no instrumentation, its model calls are recorded.
 * @param action repository and commit of Tracejury's action
 */
export function githubWorkflow(
  { foundIn, language, install, exec, isExecFound }: AgentSetUp,
  action: string,
  isUninstrumented: boolean,
): string {
  const remark =
    foundIn === null
      ? "No package list was found: add the dependencies of your agent."
      : `Dependencies of the agent, from ${foundIn}.`;
  return `name: agent
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
  pull-requests: write
jobs:
  judge:
    runs-on: ubuntu-latest
    # The keys that the agent needs:
    # env: { OPENAI_API_KEY: "\${{ secrets.OPENAI_API_KEY }}" }
    steps:
      - uses: actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803 # v6.1.0
      # ${remark}
${language === "python" ? SET_UP_PYTHON : SET_UP_NODE}${install.map((line) => `      - run: ${line}\n`).join("")}      # Asks the agent each query of the specs and judges what it does; the report becomes a comment on the pull request.
      - uses: ${action} # tracejury
        with:
          exec: ${exec}${isExecFound ? "" : " # an example: replace it with the command of your agent"}
          spec: specs/*.yaml
${isUninstrumented ? RECORDED_ARGS : INSTRUMENTED_ARGS}      - uses: actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0
        if: always()
        with:
          name: tracejury-reports # gh run download unpacks it into this folder, which the report's commands name
          path: tracejury-reports
`;
}
