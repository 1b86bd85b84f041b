import type { JsonObject } from "../../model/json.ts";
import { redactOtlp } from "../../support/redact/redact-otlp.ts";
import { type RedactionSettings, Redactor } from "../../support/redact/redactor.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { LONGEST_CALL, type RecordedCall, textLengthOf, withoutContents } from "./call-span.ts";
import { collectAfter } from "../server/large-bodies.ts";
import { receiveMessages, sendMessage } from "./message-pipe.ts";
import { type CopiedCall, readCall } from "./read-call.ts";

/** A call to decode, or a request to convert into redacted JSON. */
export type Job =
  | { readonly call: CopiedCall; readonly mostBytes: number }
  | { readonly request: JsonObject; readonly settings: RedactionSettings };

/** Result of a job: the decoded call, or JSON. */
export type Done = RecordedCall | string;

export type Reply = { readonly id: number } & ({ readonly done: Done } | { readonly error: string });

/** Created for the first job, because all jobs of the process have the same redaction settings. */
let redactor: Redactor | null = null;

async function work(job: Job): Promise<Done> {
  if ("call" in job) {
    const call = await readCall(job.call, job.mostBytes);
    if (textLengthOf(call) <= LONGEST_CALL) return call;
    // The result still contains the answer, because the client may need it.
    return { ...withoutContents(call, "messages_too_long"), answer: call.answer };
  }
  redactor ??= new Redactor(job.settings);
  return JSON.stringify(redactOtlp(job.request, redactor));
}

const reply = (message: Reply): void => {
  sendMessage(process.stdout, message);
};
const received = receiveMessages(process.stdin, (message) => {
  const { id, job } = message as { readonly id: number; readonly job: Job };
  void work(job)
    .then(
      (done) => reply({ id, done }),
      (error: unknown) => reply({ id, error: messageOf(error) }),
    )
    .then(() => collectAfter(Infinity));
});
// When the recorder exits, the pipe closes. Then this process exits, too.
void received.finally(() => process.exit());
