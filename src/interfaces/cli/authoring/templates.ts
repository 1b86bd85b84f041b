import type { ProposedQuery } from "../../../authoring/query-text/spec-text.ts";

/** What a spec begins with when nothing was recorded. */
export const exampleQuery: ProposedQuery = {
  query: {
    id: "first-question",
    query: "What can you do for me?",
    correctness: { not_in_answer: ["as an AI language model"] },
    path: { max_tool_calls: 3 },
    cost: { max_total_tokens: 4000 },
  },
  remarks: ["Replace it with a question to your agent."],
};

export function startConfig(): string {
  return `# Where tracejury listens and what it judges by; every key is optional. See config/default.yaml for all of them.
specs: ["specs/*.yaml"]
# export: { file: verdicts.jsonl, otlp: [{ endpoint: "http://localhost:4328" }] }
`;
}

/**
 * Judges runs of the agent on each push; the line that runs it is the team's own. It installs `publishedVersion`; while that is null, a tarball
 * that the team puts into its repository.
 */
export function githubWorkflow(publishedVersion: string | null): string {
  const [install, remark] =
    publishedVersion === null
      ? ["./vendor/tracejury-*.tgz", "Not on a registry yet: docs/ci.md says how to make the file."]
      : [`tracejury@${publishedVersion}`, "A newer version may judge otherwise: change it on purpose."];
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
      - uses: actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803 # v6.1.0
      - uses: actions/setup-node@249970729cb0ef3589644e2896645e5dc5ba9c38 # v6.5.0
        with: { node-version: 22 }
      # ${remark}
      - run: npm install --global ${install}
      # Runs the agent for each query of the specs; put your own command in place of agent.py.
      - run: >
          tracejury test --exec 'python agent.py {query}' --spec 'specs/*.yaml' --keep tracejury-calls
          --output junit=reports/tracejury.xml --output markdown=reports/tracejury.md --output html=reports/tracejury.html
      - uses: actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f # v6.0.0
        if: always()
        with:
          name: tracejury
          path: |
            reports
            tracejury-calls
`;
}
