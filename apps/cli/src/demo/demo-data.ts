import type { INestApplicationContext } from '@nestjs/common';
import { BillingPeriod } from '#kernel/time/billing-period';
import { BillingDate } from '#kernel/time/calendar-date';
import { Clock } from '#kernel/time/clock';
import { StatementService } from '#libs/billing';
import { Partners, PartnerAccount, type Partner, type PartnerType } from '#libs/partners';
import { Tokens } from '#libs/tokens';
import { makeDemoBook } from './demo-book.js';
import type { Uuid } from '#kernel/crypto/uuid';
import { makePanelDemo } from './panel-demo.js';

/** The content of `.data/demo.json`, which `npm start` writes, including credentials. */
export interface DemoData {
  readonly partners: { id: Uuid; name: string; type: PartnerType; writeToken: string; readToken: string }[];
  readonly contracts: { id: Uuid; partnerId: Uuid; model: string }[];
  readonly customers: { id: Uuid; partnerId: Uuid }[];
  readonly panelAdminKey: string;
}

const TREE: readonly { name: string; type: PartnerType; parent: string | null }[] = [
  { name: 'Tenantry Operations', type: 'operator', parent: null },
  { name: 'Northwind Distribution', type: 'distributor', parent: 'Tenantry Operations' },
  { name: 'Alder Reseller', type: 'reseller', parent: 'Northwind Distribution' },
  { name: 'Birch Hosting', type: 'hoster', parent: 'Alder Reseller' },
  { name: 'Cedar Hosting', type: 'hoster', parent: 'Northwind Distribution' },
];

export async function makeDemoData(app: INestApplicationContext): Promise<DemoData> {
  const partners = await makePartners(app.get(Partners));
  const holders = partners.filter((partner) => partner.type !== 'operator');
  const demo: DemoData = { partners: [], contracts: [], customers: [], panelAdminKey: await makePanelDemo(app) };
  for (const partner of holders) {
    demo.partners.push(await withDemoTokens(app.get(Tokens), partner));
    const { contracts, customers } = await makeDemoBook(app, partner);
    demo.contracts.push(...contracts.map(({ state: { id, model } }) => ({ id, partnerId: partner.id, model })));
    demo.customers.push(...customers.map(({ id }) => ({ id, partnerId: partner.id })));
    await computeUsage(app, partner.id);
  }
  return demo;
}

/** The worker computes usage once a day. Without this, a new instance would show none until then. */
async function computeUsage(app: INestApplicationContext, partnerId: Uuid): Promise<void> {
  const period = BillingPeriod.containing(BillingDate.of(app.get(Clock).now()));
  await app.get(StatementService, { strict: false }).recomputeDraft(partnerId, period);
}

async function makePartners(service: Partners): Promise<Partner[]> {
  const known = new Map((await service.list()).map((partner) => [partner.name, partner]));
  const made: Partner[] = [];
  for (const { name, type, parent } of TREE) {
    const parentId = parent === null ? null : (known.get(parent)?.id ?? null);
    const partner = known.get(name) ?? (await service.create({ name, type, parentId }));
    known.set(name, partner);
    made.push(partner);
  }
  return made;
}

async function withDemoTokens(tokens: Tokens, { id, name, type }: Partner) {
  const account = PartnerAccount.of(id);
  const write = await tokens.create(account, { label: 'demo write', scope: 'write' }, null);
  const read = await tokens.create(account, { label: 'demo read', scope: 'read' }, null);
  return { id, name, type, writeToken: write.secret.reveal(), readToken: read.secret.reveal() };
}
