import { type Check, defineCheck, type Finding } from "../check.ts";
import type { UserCheck } from "../user/user-check.ts";
import { jsonValue } from "../../../support/structures/json-schema.ts";

/** Converts a user check to a check of its layer. A port runs the user check. Without a port, the check is skipped. */
export function boundUserCheck(user: UserCheck): Check {
  const key = `checks.${user.name}`;
  return defineCheck({
    key,
    layer: user.layer,
    metric: key,
    summary: "A check of the project passes.",
    limit: jsonValue,
    user,
    evaluate: (): Finding => ({
      outcome: "skip",
      value: null,
      message: "this command does not run your own checks; `tracejury test` runs them",
    }),
  });
}
