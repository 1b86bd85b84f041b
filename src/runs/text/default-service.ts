/** What SDKs set for `service.name` where nobody does: `unknown_service`, or `unknown_service:python`. It names no agent. */
export function isDefaultService(name: string | null): boolean {
  return name !== null && /^unknown_service(?::|$)/.test(name);
}
