/** The resource of everything we send: this process, whatever service it judges. */
export function ownResource(version: string, instanceId: string): Readonly<Record<string, string>> {
  return { "service.name": "tracejury", "service.version": version, "service.instance.id": instanceId };
}
