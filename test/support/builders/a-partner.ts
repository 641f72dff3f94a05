import type { INestApplicationContext } from '@nestjs/common';
import { PartnerAccount, Partners, type Partner } from '#libs/partners';
import { Tokens, type Scope } from '#libs/tokens';
import type { Uuid } from '#kernel/crypto/uuid';

export interface PartnerWithTokens extends Partner {
  readonly writeToken: string;
  readonly readToken: string;
}

let counter = 0;

/** A partner with a write and a read token. By default it is a reseller without a parent. */
export async function aPartner(
  app: INestApplicationContext,
  overrides: { name?: string; type?: string; parentId?: Uuid | null } = {},
): Promise<PartnerWithTokens> {
  const input = { name: `Partner ${++counter}`, type: 'reseller', parentId: null, ...overrides };
  const partner = await app.get(Partners, { strict: false }).create(input);
  return {
    ...partner,
    writeToken: await aToken(app, partner.id, 'write'),
    readToken: await aToken(app, partner.id, 'read'),
  };
}

export async function aToken(app: INestApplicationContext, partnerId: Uuid, scope: Scope): Promise<string> {
  const tokens = app.get(Tokens, { strict: false });
  const { secret } = await tokens.create(PartnerAccount.of(partnerId), { label: `test ${scope}`, scope }, null);
  return secret.reveal();
}
