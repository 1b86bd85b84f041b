import type { Adapter } from "../adapter-type.ts";

/** `langchain4j.aiservices.` and the simple class name of an AI service, with its method. */
const service = /^langchain4j\.aiservices\.(?:\w+\$)*(\w+)\.\w+$/;

/** Quarkus LangChain4j. Its model calls and tools have attributes of OpenTelemetry's conventions; an AI service has only a span name. */
export const quarkusLangchain4j: Adapter = {
  dialect: "quarkus-langchain4j",
  scopes: ["io.quarkus.opentelemetry"],
  names: [{ pattern: service, role: "agent", own: true }],
  derive: { agent: ({ span }) => service.exec(span.name)?.[1] },
};
