import { writeFileSync } from 'node:fs';

/**
 * Applies the kernel setting that docs/domains.md requires for Caddy: when Caddy closes a socket during a reload,
 * connections that wait on it move to the new one. It stays set, because other tests rely on it at the same time.
 * @returns whether it could be set
 */
export function migrateConnections(): boolean {
  try {
    writeFileSync('/proc/sys/net/ipv4/tcp_migrate_req', '1');
    return true;
  } catch (error) {
    process.stderr.write(`net.ipv4.tcp_migrate_req stays as it is: ${(error as Error).message}\n`);
    return false;
  }
}
