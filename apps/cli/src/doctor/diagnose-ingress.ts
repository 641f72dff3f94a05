import { diagnoseIngress as ask } from '#libs/services';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const INGRESS = 'ingress';

/** Checks the ingress. Without one, domains do not reach their services. */
export async function diagnoseIngress(settings: BothSidesSettings): Promise<Finding> {
  const found = await ask(settings);
  if (found === null) return off(INGRESS, 'not configured: domains stay pending', 'set CADDY_ADMIN_URL');
  if (found.problem === null) return ok(INGRESS, 'Caddy answers at its admin API');
  return failed(INGRESS, found.problem, 'start Caddy, or correct CADDY_ADMIN_URL');
}
