import { type OpenedJudgedBy, openJudgedBy } from "../../src/collector/evaluation/judged-by.ts";
import { fileReader } from "../../src/config/find/file-reader.ts";
import { loadConfig } from "../../src/config/load.ts";
import { specOf } from "./spec-of.ts";

/** How runs are judged if the model at this address is asked about each. The caller closes it. */
export function judgedByModel(url: string, model = "judge-1"): Promise<OpenedJudgedBy> {
  const env = { OPENAI_API_KEY: "sk-x", OPENAI_BASE_URL: `${url}/v1` };
  const loaded = loadConfig({ files: [], set: [], env, reader: fileReader });
  if (!loaded.ok) throw new Error("no configuration");
  const spec = specOf(`agent: "*"
judge_config: { model: openai/${model} }
queries: [{ query: "*", correctness: { llm_judge: [{ rule: It is kind. }] } }]
`);
  return openJudgedBy(loaded.config, [spec], env);
}
