import { writeFileSync } from 'node:fs';

/**
 * Sets what docs/domains.md asks of a machine with Caddy: connections that wait for a socket that Caddy closes go to
 * its next one. It stays set, because other tests rely on it at the same time. @returns whether it could be set
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
