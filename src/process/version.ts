/** The engine's version, as it stands in every verdict; a test keeps it equal to package.json. */
export const version = "0.1.0";
