/**
 * Label namespaces that the panel, Compose, a swarm and the ingress believe: neither a compose file nor an image may claim one.
 * Ingress controllers read label names without regard to case, hence so does this.
 */
export function isReservedLabel(name: string): boolean {
  return /^(?:panel(?:\.|$)|com\.docker\.(?:compose|swarm)(?:\.|$)|traefik(?:\.|$)|caddy)/i.test(name.trim());
}
