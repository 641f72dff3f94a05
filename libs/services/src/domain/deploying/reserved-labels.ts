/**
 * Label namespaces that the panel, Compose, a swarm and the ingress trust. Neither a compose file nor an image may use
 * them. Case is ignored, because ingress controllers ignore it too.
 */
export function isReservedLabel(name: string): boolean {
  return /^(?:panel(?:\.|$)|com\.docker\.(?:compose|swarm)(?:\.|$)|traefik(?:\.|$)|caddy)/i.test(name.trim());
}
