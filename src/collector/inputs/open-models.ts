import { randomBytes } from "node:crypto";
import { callSpan, type RecordedCall, spansRequest } from "../../model-server/record/call-span.ts";
import { ConversationTraces } from "../../model-server/record/conversation-traces.ts";
import { KnownSecrets } from "../../model-server/record/known-secrets.ts";
import { ModelRecorder } from "../../model-server/record/model-recorder.ts";
import type { CallOrigin } from "../../model-server/record/trace-parent.ts";
import { openRecordServer, type RecordServer } from "../../model-server/record/record-server.ts";
import type { Accept } from "../../receive/ports.ts";
import { parseAddress } from "../../support/security/addresses/address.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { limitedLog } from "../../support/telemetry/log/log.ts";
import type { CollectorOptions } from "../settings/options.ts";
import type { ListenerParts } from "./open-listeners.ts";

/** Agent name of model calls whose base URL contains no agent name. */
const UNNAMED = "agent";
/** Maximum share of the memory limit for the copies of model calls that are in progress. */
const COPIES_SHARE = 1 / 8;
const COPIES_BYTES = 64 << 20;

/**
 * Opens the port for model calls. Agents use its address as the base URL of their model providers. Each model call becomes a span, which is
 * processed like received telemetry. Resolves to null if `models` is not configured.
 * Rejects with `AddressError` if the port cannot be opened.
 */
export async function openModels(
  { settings, log }: CollectorOptions,
  accept: Accept,
  { security, recorder, memory }: Pick<ListenerParts, "security" | "recorder" | "memory">,
): Promise<RecordServer | null> {
  const { models = null } = settings;
  const address = models === null ? null : parseAddress(models.address, "receivers.models");
  if (models === null || address === null) return null;
  const mounts = new Map(models.providers.map((mount) => [mount.name, mount]));
  const conversations = new ConversationTraces();
  const secrets = new KnownSecrets();
  const limited = limitedLog(log);
  const all = settings.memory === undefined ? COPIES_BYTES : settings.memory * COPIES_SHARE;
  const count = (outcome: string): void => recorder.count("tracejury.receiver.model_calls", 1, [outcome]);
  const calls = new ModelRecorder({
    mounts: () => mounts,
    memory: { all, one: Math.min(settings.maxBody, all / 2) },
    onHead: (rawHeaders, target) => secrets.addOf(rawHeaders, target),
    onRequest: count,
    onCall: async (call, origin) => {
      const body = Buffer.from(secrets.removeFrom(requestOf(call, origin, conversations)));
      const acceptance = await Promise.resolve(
        accept(Buffer.from(body), {
          signal: "traces",
          encoding: "json",
          transport: "http",
          wireBytes: body.length,
          sent: { body, coding: null, header: () => undefined },
        }),
      ).catch((error: unknown) => ({ kind: "failed" as const, message: messageOf(error) }));
      if (acceptance.kind === "accepted") return true;
      limited.error(
        { reason: acceptance.message },
        "a model call was forwarded to its provider, but its span was dropped, because the collector could not accept it",
      );
      return false;
    },
  });
  memory?.watch(() => calls.copiedBytes);
  return openRecordServer({
    address,
    setting: "receivers.models",
    recorder: calls,
    tls: security.receiveTls,
    authorize: (authorization) => security.guard.admit(authorization, "ingest"),
    allowedHosts: () => security.allowedHosts,
    onRefused: count,
  });
}

/** Encodes the span of a model call as an OTLP request. The agent's name is a segment of the base URL. */
function requestOf(
  call: RecordedCall,
  { callId, parent }: CallOrigin,
  conversations: ConversationTraces,
): string {
  const service = callId ?? UNNAMED;
  const { traceId, conversationId } = conversations.traceOf(service, call);
  const spanId = randomBytes(8).toString("hex");
  const place =
    parent === null
      ? { traceId, spanId, parentSpanId: null, conversationId }
      : { traceId: parent.traceId, spanId, parentSpanId: parent.spanId };
  return JSON.stringify(spansRequest([callSpan(call, place)], { "service.name": service }));
}
