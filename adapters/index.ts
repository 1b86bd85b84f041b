import type { Adapter } from "./adapter-type.ts";
import { agent365 } from "./agent365/adapter.ts";
import { agenta } from "./agenta/adapter.ts";
import { agentFramework } from "./agent-framework/adapter.ts";
import { agentSdkGo } from "./agent-sdk-go/adapter.ts";
import { agentops } from "./agentops/adapter.ts";
import { agentscope } from "./agentscope/adapter.ts";
import { aiSdk } from "./ai-sdk/adapter.ts";
import { anthropic } from "./anthropic/adapter.ts";
import { autoagents } from "./autoagents/adapter.ts";
import { autogen } from "./autogen/adapter.ts";
import { azureAiProjects } from "./azure-ai-projects/adapter.ts";
import { bedrock } from "./bedrock/adapter.ts";
import { braintrust } from "./braintrust/adapter.ts";
import { brokle } from "./brokle/adapter.ts";
import { claudeCode } from "./claude-code/adapter.ts";
import { codex } from "./codex/adapter.ts";
import { crewai } from "./crewai/adapter.ts";
import { datadog } from "./datadog/adapter.ts";
import { dspy } from "./dspy/adapter.ts";
import { galileo } from "./galileo/adapter.ts";
import { genkit } from "./genkit/adapter.ts";
import { eino } from "./eino/adapter.ts";
import { goose } from "./goose/adapter.ts";
import { googleAdk } from "./google-adk/adapter.ts";
import { effectAi } from "./effect-ai/adapter.ts";
import { griptape } from "./griptape/adapter.ts";
import { langgraph4j } from "./langgraph4j/adapter.ts";
import { langtrace } from "./langtrace/adapter.ts";
import { monocle } from "./monocle/adapter.ts";
import { gptme } from "./gptme/adapter.ts";
import { haystack } from "./haystack/adapter.ts";
import { honeyhive } from "./honeyhive/adapter.ts";
import { laminar } from "./laminar/adapter.ts";
import { langfuse } from "./langfuse/adapter.ts";
import { langsmith } from "./langsmith/adapter.ts";
import { langwatch } from "./langwatch/adapter.ts";
import { litellm } from "./litellm/adapter.ts";
import { llamaindex } from "./llamaindex/adapter.ts";
import { livekit } from "./livekit/adapter.ts";
import { logfire } from "./logfire/adapter.ts";
import { magentic } from "./magentic/adapter.ts";
import { mastra } from "./mastra/adapter.ts";
import { mcp } from "./mcp/adapter.ts";
import { miniSweAgent } from "./mini-swe-agent/adapter.ts";
import { mlflow } from "./mlflow/adapter.ts";
import { nemoAgentToolkit } from "./nemo-agent-toolkit/adapter.ts";
import { nemoGuardrails } from "./nemo-guardrails/adapter.ts";
import { openinference } from "./openinference/adapter.ts";
import { openlit } from "./openlit/adapter.ts";
import { openllmetry } from "./openllmetry/adapter.ts";
import { opentelemetryHooks } from "./opentelemetry-hooks/adapter.ts";
import { otelGenai } from "./otel-genai/adapter.ts";
import { pipecat } from "./pipecat/adapter.ts";
import { promptflow } from "./promptflow/adapter.ts";
import { pydanticAi } from "./pydantic-ai/adapter.ts";
import { respan } from "./respan/adapter.ts";
import { qwenCode } from "./qwen-code/adapter.ts";
import { semanticKernel } from "./semantic-kernel/adapter.ts";
import { smolagents } from "./smolagents/adapter.ts";
import { springAi } from "./spring-ai/adapter.ts";
import { strands } from "./strands/adapter.ts";
import { swiftide } from "./swiftide/adapter.ts";
import { temporal } from "./temporal/adapter.ts";
import { traceai } from "./traceai/adapter.ts";
import { trulens } from "./trulens/adapter.ts";
import { voltagent } from "./voltagent/adapter.ts";

/**
 * All adapters, in order of precedence. If several dialects on one span determine the role or contain the same field, the first adapter in
 * this list counts.
 */
export const adapters: readonly Adapter[] = [
  agenta,
  honeyhive,
  magentic,
  trulens,
  mastra,
  aiSdk,
  genkit,
  langsmith,
  langfuse,
  laminar,
  langwatch,
  braintrust,
  brokle,
  datadog,
  mlflow,
  traceai,
  nemoAgentToolkit,
  nemoGuardrails,
  openinference,
  googleAdk,
  pydanticAi,
  logfire,
  springAi,
  promptflow,
  pipecat,
  respan,
  eino,
  opentelemetryHooks,
  otelGenai,
  azureAiProjects,
  galileo,
  temporal,
  swiftide,
  langgraph4j,
  monocle,
  langtrace,
  effectAi,
  griptape,
  autoagents,
  agentSdkGo,
  openllmetry,
  claudeCode,
  codex,
  goose,
  miniSweAgent,
  gptme,
  qwenCode,
  voltagent,
  agentops,
  agentscope,
  litellm,
  semanticKernel,
  agentFramework,
  autogen,
  crewai,
  strands,
  haystack,
  llamaindex,
  livekit,
  smolagents,
  dspy,
  openlit,
  anthropic,
  bedrock,
  agent365,
  mcp,
];
