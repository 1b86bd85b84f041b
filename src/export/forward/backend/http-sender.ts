import type { Signal } from "../../../otlp/signal.ts";
import { signalUrl } from "../../otlp/endpoint.ts";
import { createHttpTransport, sendResultOf } from "../../otlp/http-transport.ts";
import { delivered } from "../../otlp/partial-success.ts";
import type { Sender, SenderOptions } from "./sender.ts";

const contentTypes = { protobuf: "application/x-protobuf", json: "application/json" } as const;

/**
 * Sends bodies unchanged over OTLP/HTTP.
 * @throws EndpointError if the endpoint is not an http or https address
 */
export function createHttpSender(options: SenderOptions): Sender {
  const { endpoint, key, userAgent, timeoutMs } = options;
  const urlFor = (signal: Signal): string => signalUrl(endpoint, signal, `${key}.endpoint`);
  const urls = { traces: urlFor("traces"), logs: urlFor("logs"), metrics: urlFor("metrics") };
  const transport = createHttpTransport({ url: endpoint, headers: {}, compression: "none", userAgent });
  return {
    send: async ({ signal, encoding, coding, headers, body }) => {
      const sent = {
        ...headers,
        ...options.headers,
        "content-type": contentTypes[encoding],
        ...(coding === null ? {} : { "content-encoding": coding }),
      };
      const resource = { method: "POST", url: urls[signal] } as const;
      const response = await transport.send(body, timeoutMs, sent, resource);
      if (response.status === "success") {
        const { data, contentType } = response;
        return delivered(signal, contentType?.includes("json") === true ? "json" : encoding, data);
      }
      return sendResultOf(response, excerpt(response.answer));
    },
    close: () => transport.shutdown(),
  };
}

/** Returns the beginning of the response for an error message, as `: TEXT`; empty if the response is not text. */
function excerpt(answer: Uint8Array | undefined): string {
  const text = Buffer.from(answer ?? [])
    .toString("utf8", 0, 200)
    .trim();
  return text === "" || /[^\P{C}\s]|\ufffd/u.test(text) ? "" : `: ${text}`;
}
