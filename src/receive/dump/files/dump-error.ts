/** The dumps as a whole cannot be read: a name that leads nowhere, a folder without files. Its message is for the user. */
export class DumpError extends Error {}
