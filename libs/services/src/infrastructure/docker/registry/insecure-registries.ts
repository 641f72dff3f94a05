import ipaddr from 'ipaddr.js';

/** The registries that an engine may use without TLS, as the engine reports them. */
export interface RegistryConfig {
  readonly InsecureRegistryCIDRs?: readonly string[] | null;
  readonly IndexConfigs?: Readonly<Record<string, { readonly Secure?: boolean }>> | null;
}

/** Whether the engine uses this registry without TLS, so that the panel may too. */
export function isInsecure(registry: string, config: RegistryConfig | undefined): boolean {
  const named = config?.IndexConfigs?.[registry]?.Secure;
  if (named !== undefined) return !named;
  const host = registry.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (host === 'localhost') return true;
  if (!ipaddr.isValid(host)) return false;
  const address = ipaddr.process(host);
  return (config?.InsecureRegistryCIDRs ?? []).some((range) => {
    const [from, bits] = ipaddr.parseCIDR(range);
    return from.kind() === address.kind() && address.match(from, bits);
  });
}
