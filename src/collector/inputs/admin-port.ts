import { type Admin, createAdmin } from "../../interfaces/api/http/admin.ts";
import { parseAddress } from "../../support/security/addresses/address.ts";
import type { Receiver } from "../../receive/receiver.ts";

/** Opens the port for people and scrapers; null where it is off. The receiver is closed when it cannot be opened. */
export async function startAdmin(
  setting: string,
  receiver: Receiver,
  routes: Omit<Parameters<typeof createAdmin>[0], "address">,
): Promise<Admin | null> {
  try {
    const address = parseAddress(setting, "admin");
    return address === null ? null : await createAdmin({ ...routes, address });
  } catch (error) {
    await receiver.close(0);
    throw error;
  }
}
