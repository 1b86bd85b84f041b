import { z } from "zod";
import { networksOf } from "../../support/security/addresses/networks.ts";
import { scopes } from "../../support/security/settings.ts";
import { text } from "./values.ts";

/** An origin as browsers send it: scheme, host and port, with `*` for parts of the host. */
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
  .describe("What it allows: send telemetry, read results, change things");

const token = z
  .strictObject({
    name: text.describe("For the reader").exactOptional(),
    token: text.describe("The token itself, mostly from the environment: ${env:NAME}").exactOptional(),
    file: text.describe("File of tokens, one a line; read again when it changes").exactOptional(),
    scopes: scopeList,
  })
  .refine((one) => (one.token === undefined) !== (one.file === undefined), "give either `token` or `file`");

const user = z
  .strictObject({
    user: text.describe("Name, without a colon"),
    password: text.describe("Mostly from the environment: ${env:NAME}").exactOptional(),
    password_file: text.describe("File with the token; read again when it changes").exactOptional(),
    scopes: scopeList,
  })
  .refine(
    (one) => (one.password === undefined) !== (one.password_file === undefined),
    "give either `password` or `password_file`",
  );

const tls = z.strictObject({
  cert_file: text.describe("Certificate with its chain, PEM; read again when it changes"),
  key_file: text.describe("Its key, PEM"),
  client_ca_file: text
    .describe("Authorities of clients' certificates, PEM; present: no client gets in without one")
    .exactOptional(),
  min_version: z.enum(["1.2", "1.3"]).describe("Oldest version of TLS").default("1.2"),
});

export const security = z.strictObject({
  open_without_auth: z
    .boolean()
    .describe("Lets an address that other machines reach be opened to everybody")
    .default(false),
  tokens: z.array(token).describe("Bearer tokens; a scope that no credential has is open").default([]),
  users: z.array(user).describe("Names and passwords, for Basic authentication").default([]),
  receive_tls: tls.describe("TLS on the OTLP ports").exactOptional(),
  admin_tls: tls.describe("TLS on the admin port").exactOptional(),
  allowed_origins: z
    .array(origin)
    .describe("Web pages that may send telemetry, as in https://*.example.com; none when empty")
    .default([]),
  allowed_networks: z
    .array(network)
    .describe(
      "Networks that are not public and that webhooks, and names of judges, may lead to, as in 10.0.0.0/8 or 127.0.0.1",
    )
    .default([]),
  allowed_hosts: z
    .array(text)
    .describe("Names with a dot under which the admin port, and OTLP ports bound to loopback, may be called")
    .default([]),
});
