import { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import { S3mini } from "s3mini";
import { backoffMs, requestBackoff } from "../../support/structures/backoff.ts";
import { decodePercent } from "../../support/structures/percent-encoding.ts";
import { directFetch, RedirectError } from "../../support/http/send-request.ts";
import type { Page, SourceRequest, StoredFile } from "../trace-source.ts";
import { UserError } from "../../support/process/io.ts";

const OBJECTS = 100;

/**
 * Yields the objects below a prefix that were written in the period, as files to copy. The objects are files of the Collector's S3 exporter
 * or file exporter, or Parquet files. The cursor is the continuation token of S3's list.
 */
export async function* s3Pages(request: SourceRequest, cursor: string | null): AsyncGenerator<Page> {
  const { address, window } = request;
  const prefix = decodePercent(address.url.pathname.replace(/^\//, ""));
  const bucket = openBucket(request);
  let next = cursor ?? undefined;
  do {
    const page = await readingFrom(
      request,
      () => bucket.listObjectsPaged("/", prefix, OBJECTS, next),
      "the bucket",
    );
    if (page === null || page === undefined)
      throw new UserError(
        `${address.name}: there is no such bucket`,
        "check bucket, region and AWS_ENDPOINT_URL",
      );
    const files = (page.objects ?? [])
      .filter(({ Key: key, Size: size }) => !key.endsWith("/") && size >= 1)
      .filter(({ Key: key }) => {
        if (!/(?:^|\/)\.{1,2}(?:\/|$)/.test(key)) return true;
        request.onGap(
          `the object ${key} is skipped, because its name contains the path segment . or .., which a URL cannot contain`,
        );
        return false;
      })
      .filter(({ LastModified: written }) => {
        const ms = new Date(written).getTime();
        return ms >= window.sinceMs && ms < window.untilMs;
      })
      .map(({ Key: key, Size: size }): StoredFile => ({
        name: key.slice(key.startsWith(prefix) ? prefix.length : 0).replace(/^\//, "") || "object",
        open: () => readingFrom(request, () => readObject(request, bucket, key, size), `the object ${key}`),
      }));
    next = page.nextContinuationToken;
    yield { answers: [], files, next: next ?? null };
  } while (next !== undefined);
}

const ATTEMPTS = 6;
/** Objects are copied as they are stored, so a body is not decompressed: the collector's S3 exporter sets `content-encoding`. */
const send = directFetch({ decompresses: false });

/**
 * Opens a bucket. If `AWS_ACCESS_KEY_ID` is set, each request is signed; temporary credentials also need their session token. A request is
 * repeated after status 429, and after status 500 and above.
 */
function openBucket({ address, env, clock }: SourceRequest): S3mini {
  const region =
    address.options.get("region") ?? env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"] ?? "us-east-1";
  const endpoint =
    address.options.get("endpoint") ??
    env["AWS_ENDPOINT_URL_S3"] ??
    env["AWS_ENDPOINT_URL"] ??
    `https://s3.${region}.amazonaws.com`;
  const [accessKeyId = "", secretAccessKey = "", sessionToken] = [
    env["AWS_ACCESS_KEY_ID"],
    env["AWS_SECRET_ACCESS_KEY"],
    env["AWS_SESSION_TOKEN"],
  ];
  if (!URL.canParse(endpoint))
    throw new UserError(`${address.name}: the endpoint is not a URL`, "write it as in http://localhost:9000");
  const signer =
    accessKeyId === ""
      ? undefined
      : new AwsClient({
          accessKeyId,
          secretAccessKey,
          service: "s3",
          region,
          ...(sessionToken === undefined ? {} : { sessionToken }),
        });
  const signed: typeof fetch = async (input, init) => {
    for (let attempt = 1; ; attempt++) {
      const response = await (signer === undefined
        ? send(input, init)
        : send(await signer.sign(input, init)));
      if (attempt === ATTEMPTS || (response.status < 500 && response.status !== 429)) return response;
      await response.body?.cancel();
      await clock.sleep(backoffMs(attempt, 0, requestBackoff));
    }
  };
  const url = `${endpoint.replace(/\/$/, "")}/${address.url.hostname}`;
  return new S3mini({ accessKeyId: "", secretAccessKey: "", endpoint: url, region, fetch: signed });
}

async function readObject(
  { address, limits }: SourceRequest,
  bucket: S3mini,
  key: string,
  size: number,
): Promise<Readable> {
  const response = await bucket.getObjectResponse(key);
  if (response?.body === null || response === null)
    throw new Error(`${key} was deleted from the bucket after it was listed`);
  return Readable.from(counted(response.body, size));

  async function* counted(body: AsyncIterable<Uint8Array>, mostBytes: number): AsyncGenerator<Uint8Array> {
    let left = mostBytes;
    for await (const chunk of body) {
      left -= chunk.byteLength;
      limits.copied(chunk.byteLength);
      if (left < 0)
        throw new UserError(
          `${address.name}: the object ${key} is longer than the ${mostBytes} bytes that the bucket's listing states`,
          "pull again if the object was just written; otherwise the store has a problem",
        );
      yield chunk;
    }
  }
}

/**
 * Calls `read` and returns its result.
 * @throws UserError if `read` fails; the message contains what could not be read and S3's error code, but no credentials
 */
async function readingFrom<Result>(
  { address }: SourceRequest,
  read: () => Promise<Result>,
  what: string,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const redirect = redirectIn(error);
    if (redirect !== undefined)
      throw new UserError(`${address.name}: ${redirect.message}`, "check region and AWS_ENDPOINT_URL");
    const { status, serviceCode } = error as { status?: number; serviceCode?: string };
    const code = serviceCode === undefined ? "" : `, ${serviceCode}`;
    const httpStatus = status === undefined ? "" : ` (HTTP ${status}${code})`;
    throw new UserError(`${address.name}: ${what} cannot be read${httpStatus}`, fixOf(status));
  }
}

function redirectIn(error: unknown): RedirectError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof RedirectError) return at;
  return undefined;
}

function fixOf(status: number | undefined): string {
  if (status === 401 || status === 403)
    return "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (with temporary credentials also AWS_SESSION_TOKEN) to a key that may list and read the bucket";
  if (status === 404) return "check bucket, region and AWS_ENDPOINT_URL";
  return "check AWS_ENDPOINT_URL and AWS_REGION, and run the same command again; only `tracejury pull` continues where it stopped";
}
