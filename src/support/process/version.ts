/**
 * Version of Tracejury, which every verdict contains. The version equals package.json's; `npm version` writes
 * it here.
 */
export const version = "0.1.0";

/** Version that generated workflows install; null until a version is published on the npm registry. */
export const publishedVersion: string | null = null;
