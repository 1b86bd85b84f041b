import type { Adapter } from "../adapter-type.ts";

/** Temporal's interceptor. Its spans start and run workflows and activities; frameworks copy the agent's name onto them. */
export const temporal: Adapter = {
  dialect: "temporal",
  scopes: ["temporalio"],
  role: (_span, role) => (role === "agent" ? "step" : role),
};
