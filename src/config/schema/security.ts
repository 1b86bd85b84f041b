import { z } from "zod";
import { networksOf } from "../../support/security/addresses/networks.ts";
import { scopes } from "../../support/security/settings.ts";
import { text } from "./values.ts";

/** An origin as browsers send it: scheme, host and port. In the host, `*` stands for any text. */
const origin = z
  .string()
  .regex(/^(\*|[a-z][a-z0-9+.-]*:\/\/[^/\s]+)$/i, "an origin such as https://app.example.com, or *");
const network = text.refine(
  (written) => networksOf([written]) !== null,
  "a network such as 10.0.0.0/8, or one address",
);

const scopeList = z
  .array(z.enum(scopes))
  .min(1)
  .describe("ingest: send telemetry; read: read results; admin: read and change results and settings");

const token = z
  .strictObject({
    name: text.describe("Name of the token; a comment for people who read the configuration").exactOptional(),
    token: text.describe("The token, such as ${env:NAME}").exactOptional(),
    file: text.describe("File with one token per line; reloaded on change").exactOptional(),
    scopes: scopeList,
  })
  .refine((one) => (one.token === undefined) !== (one.file === undefined), "give either `token` or `file`");

const user = z
  .strictObject({
    user: text.describe("User name, without a colon"),
    password: text.describe("Password, such as ${env:NAME}").exactOptional(),
    password_file: text.describe("File with the password; reloaded on change").exactOptional(),
    scopes: scopeList,
  })
  .refine(
    (one) => (one.password === undefined) !== (one.password_file === undefined),
    "give either `password` or `password_file`",
  );

const tls = z.strictObject({
  cert_file: text.describe("PEM file of the certificate with its chain; reloaded on change"),
  key_file: text.describe("PEM file of the private key"),
  client_ca_file: text
    .describe(
      "PEM file of certificate authorities for client certificates. If set, each client needs a certificate of one of these authorities",
    )
    .exactOptional(),
  min_version: z.enum(["1.2", "1.3"]).describe("Minimum TLS version").default("1.2"),
});

export const security = z.strictObject({
  open_without_auth: z
    .boolean()
    .describe(
      "true: a port may listen on an address that other machines can reach, even if no credential protects the port. If credentials are configured, requests still need them",
    )
    .default(false),
  tokens: z
    .array(token)
    .describe(
      "Bearer tokens. If no token or user has the scope `ingest`, everybody may send telemetry. If a token or user has the scope `read` or `admin`, requests for both scopes need a credential",
    )
    .default([]),
  users: z.array(user).describe("User names and passwords for Basic authentication").default([]),
  receive_tls: tls.describe("TLS on the OTLP ports and the port of receivers.models").exactOptional(),
  admin_tls: tls.describe("TLS on the admin port").exactOptional(),
  allowed_origins: z
    .array(origin)
    .describe("Origins of web pages that may send telemetry, such as https://*.example.com. Default: none")
    .default([]),
  allowed_networks: z
    .array(network)
    .describe("Private networks that webhooks and judges may call, such as 10.0.0.0/8")
    .default([]),
  allowed_hosts: z
    .array(text)
    .describe(
      "Host names that contain a dot and may be in the Host header of requests. Checked by the admin port; the OTLP ports and the port of receivers.models check the header only if they listen on loopback",
    )
    .default([]),
});
