/**
 * Version of Tracejury, which every verdict contains. `npm version` writes the version of package.json here.
 */
export const version = "0.1.0";

/** Version that generated workflows install; null until a version is published on the npm registry. */
export const publishedVersion: string | null = null;
