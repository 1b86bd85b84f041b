import { looksRandom } from "./random-looking.ts";
import { eachRun, wordCharacters } from "./word-runs.ts";

/**
 * Formats of issued keys: a prefix, then random characters. Repetitions are bounded, so that the time is linear in the length of the text.
 * Each format has a marker: a text, or a fast pattern, that occurs in every key of this format. A text is searched for a format only if it
 * contains the format's marker.
 */
const forms: readonly (readonly [marker: string | RegExp, form: RegExp])[] = [
  // JSON web tokens, including those with an empty signature, and JSON web tokens that are encoded in base64
  ["ey", /\bey[\w-]{15,4000}\.ey[\w/\\-]{5,8000}(?:\.[\w/\\-]{0,4000}={0,2})?/g],
  ["eyJ", /\beyJ[\w=-]{5,8000}\.[\w=-]{5,8000}(?:\.[\w.+/=-]{0,4000})?|\beyJrIjoi[\w+/]{40,400}={0,3}/g],
  ["ZXlK", /\bZXlK[\w+/-]{20,8000}={0,2}/g],
  // providers of models, and other services whose keys begin like sk-… or pk_live_…
  ["k", /\b(?:sk|pk|rk)[-_](?:[a-z]{1,12}[-_]){0,3}[\w-]{16,300}|\b[sr]k_(?:test|live|prod)_\w{10,99}/g],
  ["pk.", /\bpk\.[A-Za-z0-9]{60}\.[A-Za-z0-9]{22}/g],
  ["gsk_", /\bgsk_\w{16,200}/g],
  ["xai-", /\bxai-\w{16,200}/g],
  ["pplx-", /\bpplx-\w{16,200}/g],
  ["nvapi-", /\bnvapi-[\w-]{16,200}/g],
  ["hf_", /\bhf_[A-Za-z0-9]{20,300}/g],
  ["api_org_", /\bapi_org_[A-Za-z0-9]{20,300}/g],
  ["r8_", /\br8_\w{20,300}/g],
  ["lsv2_", /\blsv2_[ps][tk]_\w{20,300}/g],
  // clouds
  ["A", /(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[A-Z0-9]{16}/g],
  ["LTAI", /\bLTAI[A-Za-z0-9]{12,30}\b/g],
  ["AIza", /\bAIza[\w-]{35}/g],
  ["ya29.", /\bya29\.[\w-]{20,2000}/g],
  ["Q~", /[\w~.]{3}\dQ~[\w~.-]{31,34}/g],
  ["_v1_", /\bdo[opr]_v1_[a-f0-9]{40,64}/g],
  ["dapi", /\bdapi[a-f0-9]{32}(?:-\d)?/g],
  ["t1.", /\bt1\.[\w-]{4,200}={0,2}\.[\w-]{86}={0,2}/g],
  ["AQVN", /\bAQVN[\w-]{35,38}/g],
  ["YC", /\bYC[\w-]{38}\b/g],
  ["ops_eyJ", /\bops_eyJ[A-Za-z0-9+/]{50,2000}={0,3}/g],
  ["v1.0-", /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}/g],
  ["dt0", /\bdt0[a-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/g],
  ["hv", /\bhv[bsr]\.[\w-]{20,300}/g],
  ["s.", /\bs\.[A-Za-z0-9]{24}\b/g],
  [".atlasv1.", /\b[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,70}/g],
  ["sha256~", /\bsha256~[\w-]{43}/g],
  ["AGE-SECRET-KEY-1", /\bAGE-SECRET-KEY-1[A-Z0-9]{58}/g],
  // source control, packages, builds
  ["gh", /gh[opusr]_\w{20,255}/g],
  ["github_pat_", /github_pat_\w{20,255}/g],
  ["gl", /gl(?:pat|dt|ft|ptt|rt|cbt|imt|agent|oas|soat|ffct|rtr)-[\w.-]{16,1024}/g],
  ["GR1348941", /GR1348941[\w-]{16,50}/g],
  ["_gitlab_session=", /(?<=_gitlab_session=)\w{16,64}/g],
  ["npm_", /\bnpm_\w{20,300}/g],
  ["pnu_", /\bpnu_\w{20,300}/g],
  ["pypi-", /pypi-[\w-]{20,1000}/g],
  ["rubygems_", /\brubygems_[a-f0-9]{40,60}/g],
  ["pul-", /\bpul-[a-f0-9]{40}/g],
  ["ico-", /\bico-\w{32}/g],
  ["rdme_", /\brdme_\w{40,80}/g],
  ["CLOJARS_", /CLOJARS_[A-Za-z0-9]{60}/g],
  ["API-", /\bAPI-[A-Z0-9]{26}\b/g],
  ["AKC", /\bAKC[A-Za-z0-9]{10,100}\b/g],
  ["PMAK-", /\bPMAK-[A-Za-z0-9-]{40,70}/g],
  ["NR", /\bNR(?:AK|II|JS|AL)-[A-Za-z0-9-]{16,50}/g],
  ["T3BlbkFJ", /[\w-]{20,200}T3BlbkFJ[\w-]{20,200}/g],
  // services
  ["lin_api_", /\blin_api_\w{30,60}/g],
  ["pscale_", /\bpscale_(?:tkn|oauth|pw)_[\w=.-]{30,70}/g],
  ["shp", /\bshp(?:at|ca|pa|ss)_[A-Za-z0-9]{20,40}/g],
  ["shippo_", /\bshippo_(?:live|test)_[A-Za-z0-9]{30,50}/g],
  ["duffel_", /\bduffel_(?:test|live)_[\w=-]{40,50}/g],
  ["tfp_", /\btfp_[\w.=-]{50,70}/g],
  ["FLW", /\bFLW(?:SECK|PUBK)(?:_TEST|_LIVE)?-[A-Za-z0-9-]{12,40}/g],
  ["EZ", /\bEZ[AT]K[A-Za-z0-9]{54}/g],
  ["at.", /\b[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/g],
  [".acc", /\b(?:sc|ext|scauth|authress)_\w{5,30}\.\w{4,6}\.acc[_-][\w-]{10,32}\.[\w+/=-]{30,120}/g],
  ["dp.", /\bdp\.(?:pt|st|sa|ct|scim|audit)\.[\w.-]{40,100}/g],
  ["p8e-", /\bp8e-[A-Za-z0-9]{32}/g],
  ["fio-u-", /\bfio-u-[\w=-]{64}/g],
  ["f", /\b(?:fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,2000}={0,3})/g],
  ["gl", /\bgl(?:c|sa)_[\w+/]{32,400}={0,3}/g],
  ["s-s4t2", /\bs-s4t2(?:ud|af)-[A-Fa-f0-9]{64}/g],
  ["tk-us-", /\btk-us-[\w-]{48}/g],
  ["dnkey-", /\bdnkey-[\w=-]{26}-[\w=-]{52}/g],
  ["sl.", /\bsl\.[\w=-]{100,200}/g],
  ["access-", /\baccess-(?:sandbox|development|production)-[0-9a-f-]{36}/g],
  // messages and payments
  ["xox", /\bxox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{8,255}/g],
  ["xapp-", /\bxapp-\d-[A-Za-z0-9]{1,40}-\d{1,40}-[A-Za-z0-9]{1,255}/g],
  ["SG.", /\bSG\.[\w=.-]{40,200}/g],
  ["xkeysib-", /\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/g],
  [/-us\d/, /\b[0-9a-z]{32}-us\d{1,2}\b/g],
  ["key-", /\b(?:pub)?key-[a-f0-9]{32}\b/g],
  [/-[a-h0-9]{8}-[a-h0-9]{8}\b/, /\b[a-h0-9]{32}-[a-h0-9]{8}-[a-h0-9]{8}\b/g],
  ["", /\b(?:AC|SK)[A-Za-z0-9]{32}\b/g],
  ["EAA", /\bEAA[A-Z][\w-]{20,400}/g],
  ["sq0", /\bsq0[a-z]{3}-[\w\\-]{22,60}/g],
  ["", /\b\d{15,16}[|%][\w-]{27,40}/g],
  [":", /\b\d{8,10}:[\w-]{35}|\b\d{5,16}:A[\w-]{34}/g],
  [".", /\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}/g],
  ["PuTTY-User-Key-File", /PuTTY-User-Key-File-\d(?:[\w+/=:.,\s\\-]){0,20000}/g],
  ["AAAAAAAAAA", /(?<!\w)[A-Za-z0-9]{0,20}A{10,22}[\w%=-]{43,100}/g],
];

/** Length of the shortest key with a known format, in characters. */
const SHORTEST_KEY = 11;
/** Characters of keys with a known format. Only PuTTY key files contain other characters, after their first line. */
const keyCharacters = wordCharacters(/[\w.=+/%~|:\\-]/);

/**
 * Returns the words of a text that are long enough to be a key, joined by spaces. Searching these words is faster than searching the text,
 * because most texts have few long words.
 */
export function longWordsOf(text: string): string {
  const words: string[] = [];
  eachRun(text, keyCharacters, SHORTEST_KEY, (start, end) => {
    words.push(text.slice(start, end));
  });
  return words.join(" ");
}

/**
 * Replaces keys with a known format.
 * @param words the long words of the text (`longWordsOf`); the complete text is searched only for formats that occur in them
 */
export function replaceKnownForms(text: string, words: string, replacement: string): string {
  let clean = text;
  if (words !== "")
    for (const [marker, form] of forms) {
      // After a replacement, the text itself is searched: the replacement splits words, so the text may contain keys that are not among the
      // long words.
      const searched = clean === text ? words : text;
      const isTried = typeof marker === "string" ? searched.includes(marker) : marker.test(searched);
      if (isTried && (clean !== text || words.search(form) >= 0)) clean = clean.replace(form, replacement);
    }
  if (/aws/i.test(clean)) clean = clean.replace(besideAws, `$1${replacement}`);
  if (!words.includes("AP")) return clean;
  return clean.replace(artifactory, (key) => (looksRandom(key) ? replacement : key));
}

/** Matches an AWS secret access key, which has no prefix: forty characters in quotes shortly after "aws". */
const besideAws = /(aws[^\n\r]{0,60}?["'])[A-Za-z0-9/+]{40}(?=\\*["'])/gi;
const artifactory = /(?<=[\s=:"]|^)AP[\dA-F][A-Za-z0-9]{8,100}(?=[\s"\\]|$)/g;

/** Matches PEM private keys, complete or truncated. */
export const privateKey =
  /-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s\\:,.]|-(?!-)){0,20000}(?:-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----)?/g;

/** Matches URLs whose path is a credential, such as webhook URLs. */
export const secretPath =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|\.webhook\.office\.com\/webhookb2\/|discord(?:app)?\.com\/api\/webhooks\/|api\.softlayer\.com\/soap\/v3(?:\.1)?\/|api\.telegram\.org\/bot)[^\s"'<>]{8,500}/g;
