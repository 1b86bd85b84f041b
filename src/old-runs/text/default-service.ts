/** True for the default that SDKs set for `service.name`, `unknown_service` or `unknown_service:python`: it names no agent. */
export function isDefaultService(name: string | null): boolean {
  return name !== null && /^unknown_service(?::|$)/.test(name);
}
