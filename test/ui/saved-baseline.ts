import { cli } from "../support/run-cli.ts";

/** Saves passing runs of the example spec `rag-agent` under a version. */
export async function saveBaseline(dir: string, version: string): Promise<void> {
  for (const recording of ["rag-weather-fixed", "rag-install", "rag-aws"]) {
    const dump = `test/fixtures/runs/${recording}.langgraph.jsonl`;
    const place = ["--baseline-dir", dir, "--version", version];
    const { code, stderr } = await cli`save ${dump} --spec specs/rag-agent.yaml ${place} --judge off`;
    if (code !== 0) throw new Error(`${dump} could not be saved: ${stderr}`);
  }
}
