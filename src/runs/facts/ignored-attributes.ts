import { wordList } from "../../support/structures/word-list.ts";

/** Attributes without meaning for agent runs. Inference ignores them. */
export const ignoredAttributes: readonly string[] = wordList(`
  server.address server.port instructor.response_model gen_ai.request.temperature
  gen_ai.request.top_p gen_ai.request.top_k gen_ai.request.max_tokens gen_ai.request.seed
  gen_ai.request.stop_sequences gen_ai.request.frequency_penalty gen_ai.request.presence_penalty
  gen_ai.request.choice.count gen_ai.request.encoding_formats gen_ai.output.type
  gen_ai.agent.description gen_ai.agent.version gen_ai.tool.description gen_ai.tool.type
  gen_ai.response.time_to_first_chunk gen_ai.client.operation.duration gen_ai.data_source.id
  openai.api.type openai.request.service_tier openai.response.service_tier
  openai.response.system_fingerprint gen_ai.openai.request.service_tier
  gen_ai.openai.response.service_tier gen_ai.openai.response.system_fingerprint input.mime_type
  output.mime_type tool.description tool.parameters gen_ai.tool.parameters user.id tag.tags service.name
  code.function.name code.file.path code.line.number thread.id thread.name
`);

/**
 * Attributes of servers, clients and queues. If a span has one of them, an agent's name does not make it an agent span, and its undeclared
 * attributes are not interpreted. Neither applies to a span with token counts.
 */
export const infrastructure: readonly string[] = wordList(`
  http.request.method http.method http.url url.full db.system db.system.name rpc.system
  rpc.system.name messaging.system faas.trigger graphql.operation.name aws.s3.bucket
`);
