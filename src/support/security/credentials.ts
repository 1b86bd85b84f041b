import { readFileSync } from "node:fs";
import type { Credential } from "./guard.ts";
import { SecurityError } from "./addresses/address-guard.ts";
import type { SecuritySettings, TokenSetting, UserSetting } from "./settings.ts";

/**
 * Reads the credentials in the settings, and in the files that the settings name.
 * @throws SecurityError if a file cannot be read, or contains an invalid secret
 */
export function readCredentials(settings: Pick<SecuritySettings, "tokens" | "users">): Credential[] {
  return [
    ...settings.tokens.flatMap((token, index) => tokensOf(token, `security.tokens[${index}]`)),
    ...settings.users.map((user, index) => basic(user, `security.users[${index}]`)),
  ];
}

export function credentialFiles(settings: Pick<SecuritySettings, "tokens" | "users">): string[] {
  const files = [
    ...settings.tokens.map(({ file }) => file),
    ...settings.users.map(({ passwordFile }) => passwordFile),
  ];
  return files.filter((file) => file !== null);
}

function tokensOf({ token, file, scopes }: TokenSetting, where: string): Credential[] {
  const lines = file === null ? [token ?? ""] : readLines(file, where);
  return lines.map((line) => {
    // Rejects a token with characters that cannot be sent in a header.
    if (!/^[\w\-.~+/=:!@#$%^&*]+$/.test(line)) {
      throw new SecurityError(
        `${where}: ${line === "" ? "the token is empty" : "the token has invalid characters"}; write letters, digits and -._~+/=:!@#$%^&*`,
      );
    }
    return { scheme: "bearer", secret: line, scopes };
  });
}

function basic({ user, password, passwordFile, scopes }: UserSetting, where: string): Credential {
  const secret = passwordFile === null ? (password ?? "") : (readLines(passwordFile, where)[0] ?? "");
  if (secret === "") throw new SecurityError(`${where}: the password is empty`);
  if (user.includes(":")) throw new SecurityError(`${where}: a user name cannot contain a colon`);
  return { scheme: "basic", secret: Buffer.from(`${user}:${secret}`).toString("base64"), scopes };
}

function readLines(file: string, where: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new SecurityError(`${where}: cannot read ${file}: ${(error as Error).message}`);
  }
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) throw new SecurityError(`${where}: ${file} has no secret; write one per line`);
  return lines;
}
