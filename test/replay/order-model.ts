import type { ReceivedModelRequest } from "../../src/model-server/protocols/protocol.ts";
import type { Responded, Responder } from "../../src/model-server/server/responder.ts";
import { answerOf } from "../model-server/scripted.ts";

/** The model of an agent for questions about orders: the model requests the tool, then answers. */
export class OrderModel implements Responder {
  /** Number of requests. */
  asked = 0;

  respond({ request }: ReceivedModelRequest): Promise<Responded> {
    this.asked++;
    const isAnswered = (request.messages ?? []).some(({ results }) => results.length > 0);
    const question = request.messages?.find(({ role }) => role === "user")?.text ?? "";
    const id = /\d/.exec(question)?.[0] ?? "";
    const call = { id: `call_${this.asked}`, name: "find_order", arguments: { id } };
    const answer = isAnswered
      ? answerOf({ model: "gpt-4o-mini", text: `Order ${id} is on its way.`, finish: "stop" })
      : answerOf({ model: "gpt-4o-mini", calls: [call], finish: "tool_call" });
    const usage = { ...answer.usage, cached: null };
    return Promise.resolve({ answer: { ...answer, usage, id: `chatcmpl-${this.asked}` } });
  }
}
