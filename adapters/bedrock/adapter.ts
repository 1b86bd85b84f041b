import type { Adapter } from "../adapter-type.ts";
import { words } from "../tables.ts";

/** Amazon Bedrock's client, under OpenTelemetry's and Traceloop's instrumentations: OpenTelemetry's conventions with the API's counts. */
export const bedrock: Adapter = {
  dialect: "bedrock",
  markers: ["aws.bedrock.guardrail.id", "aws.bedrock.agent.id", "aws.bedrock.knowledge_base.id"],
  scopes: words(`
    opentelemetry.instrumentation.botocore.bedrock-runtime
    opentelemetry.instrumentation.genai.bedrock opentelemetry.instrumentation.bedrock
    @opentelemetry/instrumentation-aws-sdk @traceloop/instrumentation-bedrock
  `),
  // The Converse API excludes cached tokens from the input count, and the instrumentations report the API's counts unchanged.
  apart: () => ({ cached: true }),
};
