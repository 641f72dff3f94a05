import type { PartnerWithTokens } from './a-partner.js';
import { aPartner } from './a-partner.js';
import { aContract, aCustomer } from './a-world.js';
import type { RunningPartnerApi } from '../partner-api.js';
import type { HttpClient } from '../http/http-client.js';

/** A partner that can issue licenses: with a customer, a metered contract and a client with its write token. */
export interface Seller {
  readonly partner: PartnerWithTokens;
  readonly customerId: string;
  readonly contractId: string;
  readonly client: HttpClient;
}

export async function aSeller(
  api: RunningPartnerApi,
  overrides: Parameters<typeof aPartner>[1] = {},
  terms: Parameters<typeof aContract>[2] = {},
): Promise<Seller> {
  const partner = await aPartner(api.app, overrides);
  const { id: customerId } = await aCustomer(api.app, partner.id);
  const { id: contractId } = await aContract(api.app, partner.id, terms);
  return { partner, customerId, contractId, client: api.as(partner.writeToken) };
}

/** Issues a license. @throws if it is refused */
export async function aLicense(seller: Seller, body: object = {}) {
  const { customerId, contractId, client } = seller;
  const answer = await client.post('/v1/licenses', { customerId, contractId, edition: 'web-host', ...body });
  if (answer.status !== 201) throw new Error(`not issued: ${answer.status} ${answer.text}`);
  return answer.body.license as { id: string; upstreamLicenseId: string; state: string; humanId: string };
}

/** A distributor with a client, and two sellers below it between which it can transfer licenses. */
export async function aDistributor(api: RunningPartnerApi) {
  const parent = await aPartner(api.app, { type: 'distributor' });
  const from = await aSeller(api, { parentId: parent.id });
  const to = await aSeller(api, { parentId: parent.id });
  return { parent, client: api.as(parent.writeToken), from, to };
}

/** The body of a transfer to that seller. */
export function transferTo({ partner, customerId, contractId }: Seller, licenseId: string) {
  return {
    licenseId,
    toPartnerId: partner.id,
    toCustomerId: customerId,
    toContractId: contractId,
    reason: 'moved house',
  };
}
