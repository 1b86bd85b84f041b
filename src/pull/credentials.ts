import type { SourceKind } from "./address.ts";
import { decodePercent } from "../support/structures/percent-encoding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables with the credentials for a store. */
interface Credentials {
  /** Name of the variable that contains a token for `Authorization: Bearer`. */
  readonly token?: string;
  /** Names of the variables that contain user and password for `Authorization: Basic`. */
  readonly basic?: readonly [user: string, password: string];
  /** Name of the variable that contains additional headers, as `name=value,name=value`. */
  readonly headers?: string;
}

/** Variables for each store. S3 has none here: the S3 client reads the AWS variables itself, and signs its requests. */
const variables: Readonly<Record<SourceKind, Credentials>> = {
  s3: {},
  phoenix: { token: "PHOENIX_API_KEY", headers: "PHOENIX_CLIENT_HEADERS" },
  langfuse: { basic: ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"] },
  mlflow: {
    token: "MLFLOW_TRACKING_TOKEN",
    basic: ["MLFLOW_TRACKING_USERNAME", "MLFLOW_TRACKING_PASSWORD"],
  },
  clickhouse: { basic: ["CLICKHOUSE_USER", "CLICKHOUSE_PASSWORD"] },
  tempo: { token: "TEMPO_BEARER_TOKEN", basic: ["TEMPO_USERNAME", "TEMPO_PASSWORD"] },
  jaeger: { token: "JAEGER_BEARER_TOKEN", basic: ["JAEGER_USERNAME", "JAEGER_PASSWORD"] },
};

/** Environment variable with additional headers for requests to any store, for example for a proxy. */
const ANY_STORE = "TRACEJURY_PULL_HEADERS";

/** Returns the request headers for a store from the environment. */
export function credentialHeaders(kind: SourceKind, env: Environment): Headers {
  const { token, basic, headers } = variables[kind];
  const found = new Headers();
  const user = basic && env[basic[0]];
  if (basic !== undefined && user !== undefined && user !== "") {
    const pair = Buffer.from(`${user}:${env[basic[1]] ?? ""}`).toString("base64");
    found.set("authorization", `Basic ${pair}`);
  }
  const bearer = token && env[token];
  if (bearer !== undefined && bearer !== "") found.set("authorization", `Bearer ${bearer}`);
  for (const [name, value] of [...pairsOf(headers && env[headers]), ...pairsOf(env[ANY_STORE])])
    found.set(name, value);
  return found;
}

function pairsOf(text = ""): [name: string, value: string][] {
  return text.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, at)).trim();
    return /^[\w-]+$/.test(name) ? [[name, decodePercent(pair.slice(at + 1).trim())]] : [];
  });
}

/** Returns the advice for a message about a store that refused the credentials. */
export function credentialsFix(kind: SourceKind): string {
  const { token, basic } = variables[kind];
  const named = [
    ...(token === undefined ? [] : [token]),
    ...(basic === undefined ? [] : [basic.join(" and ")]),
  ];
  return `set ${named.join(", or ")} to credentials that may read traces`;
}
