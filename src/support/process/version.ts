/**
 * Version of Tracejury, which every verdict contains. `npm version` copies the version of package.json to
 * this line.
 */
export const version = "0.1.0";

/** Version that generated workflows install. Null as long as no version is on the npm registry. */
export const publishedVersion: string | null = null;
