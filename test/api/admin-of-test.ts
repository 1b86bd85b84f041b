import { onTestFinished } from "vitest";
import { type Admin, type AdminOptions, createAdmin } from "../../src/interfaces/api/http/admin.ts";
import { createRecentStore } from "../../src/interfaces/api/recent/recent-store.ts";

/** An admin port with an empty store, on a free port; closed when the test ends. */
export async function adminOfTest(options: Partial<AdminOptions> = {}): Promise<Admin> {
  const admin = await createAdmin({
    address: { host: "127.0.0.1", port: 0 },
    store: createRecentStore({ renderVerdict: () => "{}", renderRun: () => "{}", now: () => 0 }),
    metricsHandler: () => Promise.resolve(""),
    ready: () => ({ ready: true, reasons: [] }),
    status: () => ({}),
    ...options,
  });
  onTestFinished(() => admin.close());
  return admin;
}
