import type { ProposedQuery } from "../../authoring/spec-text.ts";

/** What a spec begins with when nothing was recorded. */
export const exampleQuery: ProposedQuery = {
  query: {
    id: "first-question",
    query: "What can you do for me?",
    correctness: { not_in_answer: ["as an AI language model"] },
    path: { max_tool_calls: 3 },
    cost: { max_total_tokens: 4000 },
  },
  remarks: ["Replace it by a question that your agent is asked."],
};

export function startConfig(): string {
  return `# Where tracejury listens and what it judges by; every key is optional. See config/default.yaml for all of them.
specs: ["specs/*.yaml"]
# export: { file: verdicts.jsonl, otlp: [{ endpoint: "http://localhost:4328" }] }
`;
}

/** Judges recorded runs on each push; the line that records them is the team's own. */
export function githubWorkflow(): string {
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
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      # Runs the agent for each query of the specs; put your own command in place of agent.py.
      - run: >
          npx tracejury test --exec 'python agent.py {query}' --spec 'specs/*.yaml' --keep tracejury-calls
          --output junit=reports/tracejury.xml --output markdown=reports/tracejury.md --output html=reports/tracejury.html
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: tracejury
          path: |
            reports
            tracejury-calls
`;
}
