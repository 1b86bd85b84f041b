/** Something that no input may bring about. */
export class Finding extends Error {}
