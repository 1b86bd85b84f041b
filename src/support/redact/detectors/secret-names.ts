/**
 * How certainly a name (an attribute key, a variable, a header) denotes a credential. `service` means that
 * the name contains a service whose keys have no fixed format.
 */
export type SecretName = "certain" | "likely" | "service" | null;

/**
 * Matches words that denote a credential anywhere in a name, even inside a longer word such as `PGPASSWORD`.
 */
const credentialWord = /password|passwd|passphrase|passcode|contrase[nñ]a|secret|apikey|accesskey|privatekey/;
/** Words that denote a credential at the end of a name. */
const credentialEnd: ReadonlySet<string> = new Set([
  "pass",
  "pwd",
  "pw",
  "psk",
  "token",
  "jwt",
  "credential",
  "credentials",
  "creds",
  "authorization",
  "cookie",
]);
/** Words that make `key` after them a credential, as in `signing key`. A primary key, for example, is no credential. */
const keyKinds: ReadonlySet<string> = new Set(
  (
    "api access account secret private priv signing signature encryption auth authorization authentication " +
    "master ssh client service db database session shared storage subscription consumer app application license " +
    "deploy deployment webhook integration ingest ingestion admin root user host project team org hmac aes rsa gpg pgp " +
    "cos iam sl cloudant softlayer ibm cloud azure aws gcp google openai anthropic"
  ).split(" "),
);
/** Words next to which `token` has another meaning than a credential, such as a unit of text or the next page of a list. */
const otherTokens: ReadonlySet<string> = new Set(
  (
    "pad eos bos stop unk sep mask cls special next new max min page input output prompt completion cached " +
    "reasoning total first last continuation per start end text"
  ).split(" "),
);
/** Last words of names that describe a credential without containing it, such as its length or date. */
const description: ReadonlySet<string> = new Set(
  (
    "field url uri type name policy length min max reset required expires expiry expiration count id ids label hint " +
    "strength error message valid changed updated created at file path enabled placeholder prompt format regex " +
    "pattern manager store page link email attempts limit usage ttl status state kind provider endpoint version index " +
    "scope scopes tool description title present set rotation ref arn budget tokens"
  ).split(" "),
);
/** Matches words at the end of a name that do not change its meaning, as in `TOKEN_PROD` or `password_2`. */
const qualifier =
  /^(?:\d+|v\d+|prod|production|dev|development|test|testing|stag(?:e|ing)|live|old|new|current|default|primary|secondary|backup|value|text|plain|plaintext|raw|string|str|b64|base64|encoded|header|env|var)$/;

/** Matches joined words that end with a word for credentials, such as `apikey`, `dbpass` or `authtoken`. */
const joined =
  /(?:access|account|admin|api|app|auth|client|cloud?|cloudant|consumer|cos|database|db|iam|ibm|key|license|master|my|priv|private|root|secret|service|session|shared|signing|sl|storage|user)(?:key|pass|pwd?)$|[a-z]{2}token$/;

/** Matches parts of names that have to do with access control. */
const accessWord = /access|auth|api|cookie|cred|key|pass|psk|pwd?|secret|signature|token|jwt|contrase|^sig$/;
/** Matches services whose keys have no fixed format. A value next to the name of such a service is recognised as a key by its form. */
const services = new RegExp(
  (
    "adafruit|adobe|airtable|algolia|alibaba|aliyun|asana|atlassian|confluence|jira|beamer|bitbucket|bittrex|cloudant|" +
    "cloudflare|codecov|cohere|coinbase|confluent|contentful|datadog|discord|droneci|dropbox|etsy|facebook|fastly|" +
    "finicity|finnhub|flickr|freshbooks|gitter|gocardless|heroku|hubspot|intercom|jfrog|artifactory|bintray|xray|" +
    "kraken|kucoin|launchdarkly|linear|linkedin|linked-in|lob|mailchimp|mailgun|mapbox|mattermost|message[-_]?bird|" +
    "netlify|new[-_]?relic|ny[-_]?times|new-?york-?times|okta|plaid|private[-_]?ai|rapidapi|sendbird|sentry|" +
    "contribsys|snyk|softlayer|squarespace|square|sumo|telegr|travis|twilio|twitch|twitter|typeform|yandex|zendesk"
  ).replaceAll(" ", ""),
);

/**
 * Returns how certainly a name denotes a credential. The name may be written in any style, such as
 * `DB_PASSWORD`, `dbPassword` or `db.password`.
 */
export function secretName(name: string): SecretName {
  const folded = name.toLowerCase();
  const isService = namesService(name);
  if (!isService && !accessWord.test(folded)) return null;
  const words = wordsOf(name);
  while (words.length > 1 && qualifier.test(words.at(-1) ?? "")) words.pop();
  const last = words.at(-1) ?? "";
  if (!description.has(last) && isCredential(words, last)) return "certain";
  return isService ? "service" : "likely";
}

/** Whether a name contains the name of a service whose keys have no fixed format. */
export function namesService(name: string): boolean {
  return services.test(name.toLowerCase());
}

function isCredential(words: readonly string[], last: string): boolean {
  const before = words.at(-2) ?? "";
  if (last === "token") return !otherTokens.has(before);
  if (credentialEnd.has(last) || credentialWord.test(words.join(" "))) return true;
  return last === "key" ? keyKinds.has(before) : joined.test(last);
}

/** Returns the lower-case words of a name, split at separators and at capital letters. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}
