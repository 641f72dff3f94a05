import { readFile } from 'node:fs/promises';
import { diagnoseIngress as ask } from '#libs/services';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const INGRESS = 'ingress';

/** Checks the ingress. Without one, domains do not reach their services. */
export async function diagnoseIngress(settings: BothSidesSettings): Promise<Finding> {
  const found = await ask(settings);
  if (found === null) return off(INGRESS, 'not configured: domains stay pending', 'set CADDY_ADMIN_URL');
  if (found.problem !== null) return failed(INGRESS, found.problem, 'start Caddy, or correct CADDY_ADMIN_URL');
  // Behind a socket, Caddy may run in another network than this process, with its own settings.
  const isHere = settings.CADDY_ADMIN_URL !== undefined && 'url' in settings.CADDY_ADMIN_URL;
  return { ...ok(INGRESS, 'Caddy answers at its admin API'), cure: isHere ? await missingSetting() : '' };
}

/** Without it, Linux resets connections that are being opened while Caddy's configuration changes (docs/domains.md). */
async function missingSetting(): Promise<string> {
  const setting = await readFile('/proc/sys/net/ipv4/tcp_migrate_req', 'utf8').catch(() => null);
  return setting?.trim() === '0' ? 'set net.ipv4.tcp_migrate_req=1, so that changes of routes reset no connection' : '';
}
