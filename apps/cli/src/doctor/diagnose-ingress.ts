import { diagnoseIngress as ask } from '#libs/services';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const INGRESS = 'ingress';

/** Without one, no domain leads to a service. */
export async function diagnoseIngress(settings: BothSidesSettings): Promise<Finding> {
  const found = await ask(settings);
  if (found === null) return off(INGRESS, 'not configured: domains stay pending', 'set CADDY_ADMIN_URL');
  if (found.problem === null) return ok(INGRESS, 'Caddy answers at its admin API');
  return failed(INGRESS, found.problem, 'start Caddy, or correct CADDY_ADMIN_URL');
}
