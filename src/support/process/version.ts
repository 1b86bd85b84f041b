/** The engine's version, as it stands in every verdict; package.json's, written here by `npm version`. */
export const version = "0.1.0";

/** The version that generated workflows install; null until one is published on the npm registry. */
export const publishedVersion: string | null = null;
