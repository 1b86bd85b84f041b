import type { Adapter } from "../adapter-type.ts";

/** Temporal's interceptor. Its spans start and run workflows and activities; agents of the frameworks are within them. */
export const temporal: Adapter = {
  dialect: "temporal",
  scopes: ["temporalio"],
  role: () => "message",
};
