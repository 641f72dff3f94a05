import { diagnoseProvider } from '#libs/panel-auth';
import type { BothSidesSettings } from '../sides/both-sides.js';
import { failed, off, ok, type Finding } from './finding.js';

const PROVIDER = 'identity provider';

/** Checks the identity provider. Without one, admins can only use API keys. */
export async function diagnoseIdentityProvider({ OIDC_ISSUER: issuer }: BothSidesSettings): Promise<Finding> {
  if (!issuer) return off(PROVIDER, 'not configured: nobody can sign in', 'set OIDC_ISSUER and its companions');
  const problem = await diagnoseProvider(issuer);
  if (problem === null) return ok(PROVIDER, issuer);
  return failed(PROVIDER, `${issuer}: ${problem}`, 'start the provider, or correct OIDC_ISSUER');
}
