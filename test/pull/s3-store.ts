import { type Answering, reply } from "./store-server.ts";

export interface StoredObject {
  readonly key: string;
  readonly content: string;
  readonly writtenMs: number;
}

/** The bucket `traces` of an S3-compatible store, with so many objects on a page at most. */
export function s3Store(objects: readonly StoredObject[], mostOnPage = 2): Answering {
  return ({ path, query, headers }) => {
    if (!String(headers.authorization).startsWith("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"))
      return reply(403, xml("<Error><Code>InvalidAccessKeyId</Code><Message>who?</Message></Error>"), XML);
    if (!/^\/traces(?:\/|$)/.test(path))
      return reply(404, xml("<Error><Code>NoSuchBucket</Code></Error>"), XML);
    const key = decodeURIComponent(path.replace(/^\/traces\/?/, ""));
    if (key !== "") return reply(200, objects.find((one) => one.key === key)?.content ?? "");
    const found = objects.filter((one) => one.key.startsWith(query.get("prefix") ?? ""));
    const from = Number(query.get("continuation-token") ?? 0);
    const end = from + mostOnPage;
    const contents = found
      .slice(from, end)
      .map(
        ({ key: name, content, writtenMs }) =>
          `<Contents><Key>${name}</Key><LastModified>${new Date(writtenMs).toISOString()}</LastModified>` +
          `<ETag>"e"</ETag><Size>${Buffer.byteLength(content)}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      );
    const next = end < found.length ? `<NextContinuationToken>${end}</NextContinuationToken>` : "";
    return reply(
      200,
      xml(
        `<ListBucketResult><Name>traces</Name><KeyCount>${contents.length}</KeyCount><MaxKeys>${mostOnPage}</MaxKeys>` +
          `<IsTruncated>${end < found.length}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`,
      ),
      XML,
    );
  };
}

const XML = { "content-type": "application/xml" };

function xml(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${content}`;
}
