import pg from 'pg';
import { LedgerVerification } from '#libs/licensing';
import type { Uuid } from '#kernel/crypto/uuid';
import { LicenseRepository } from '../../libs/licensing/src/application/ports/license-repository.js';
import { LicenseWriter } from '../../libs/licensing/src/application/ports/license-writer.js';
import { License } from '../../libs/licensing/src/domain/license.js';
import { aContract } from '../support/builders/a-world.js';
import { aSeller, type Seller } from '../support/builders/a-license.js';
import { FakeLicenseService } from '../support/licensing/fake-license-service.js';
import { startLicensingApi } from '../support/licensing/licensing-api.js';
import { startPartnerApi, type RunningPartnerApi } from '../support/partner-api.js';
import type { TestDatabase } from '../support/test-database.js';

type Answer = Awaited<ReturnType<Seller['client']['post']>>;

/** The license service under test, and how to inspect it. */
interface Upstream {
  start(database?: TestDatabase): Promise<RunningPartnerApi>;
  validity(key: string): Promise<string>;
  lose(upstreamLicenseId: string): Promise<void>;
}

/** In our own database: the call and its effect are one transaction. */
function ownDatabase(first: () => RunningPartnerApi, pool: () => pg.Pool): Upstream {
  return {
    start: (database) => startPartnerApi({ database }),
    validity: async (key) => (await first().as(null).post('/license-service/v1/validate', { key })).body.code,
    lose: async (id) => void (await pool().query('delete from license_service.licenses where id = $1', [id])),
  };
}

/** Remote, like Keygen: a reservation or announcement before the call, and a second transaction after it. */
function outside(): Upstream {
  const service = new FakeLicenseService();
  return {
    start: (database) => startLicensingApi({ database, service }),
    validity: (key) => {
      const record = [...service.records.values()].find((known) => known.key.reveal() === key);
      return Promise.resolve(record ? (record.suspended ? 'SUSPENDED' : 'VALID') : 'NOT_FOUND');
    },
    lose: (id) => Promise.resolve(void service.records.delete(id as Uuid)),
  };
}

/** Simultaneous calls share transactions (group commit). No call may notice. */
describe.each(['own', 'outside'] as const)(
  'simultaneous calls on licenses, over two processes (%s license service)',
  (where) => {
    let upstream: Upstream;
    let first: RunningPartnerApi;
    let second: RunningPartnerApi;
    let pool: pg.Pool;
    let seller: Seller;
    let other: Seller;

    beforeAll(async () => {
      upstream =
        where === 'outside'
          ? outside()
          : ownDatabase(
              () => first,
              () => pool,
            );
      first = await upstream.start();
      second = await upstream.start(first.database);
      pool = new pg.Pool({ connectionString: first.database.url, max: 1 });
      seller = await aSeller(first);
      other = await aSeller(first);
    });

    afterAll(async () => {
      await pool.end();
      await second.close();
      await first.close();
    });

    const clientOf = ({ partner }: Seller, n: number) => [first, second][n % 2]!.as(partner.writeToken);
    const issue = (owner: Seller, reference: string, n: number, body: object = {}) =>
      clientOf(owner, n).post('/v1/licenses', {
        customerId: owner.customerId,
        contractId: owner.contractId,
        edition: 'web-host',
        externalBillingRef: reference,
        ...body,
      });
    const outcomes = (answers: readonly Answer[]) =>
      answers.map(({ status, headers }) => (status < 300 ? status : headers.get('x-error-reason')));
    const validity = (answer: Answer) => upstream.validity(answer.body.key as string);
    const ledger = () => first.app.get(LedgerVerification, { strict: false }).verify(null);

    it('each get their own license or their own refusal', async () => {
      const capped = (await aContract(first.app, seller.partner.id, { model: 'flat_capped', licenseCap: 7 })).id;
      const pack = (await aContract(first.app, other.partner.id, { model: 'prepaid_pack', packSize: 5 })).id;
      const kinds: [string, (reference: string, n: number) => Promise<Answer>][] = [
        ['own', (reference, n) => issue(seller, reference, n)],
        ['others', (reference, n) => issue(other, reference, n)],
        ['capped', (reference, n) => issue(seller, reference, n, { contractId: capped })],
        ['pack', (reference, n) => issue(other, reference, n, { contractId: pack })],
        ['foreign', (reference, n) => issue(seller, reference, n, { customerId: other.customerId })],
        ['unknown edition', (reference, n) => issue(other, reference, n, { edition: 'none' })],
      ];
      const calls = Array.from({ length: 120 }, (_, n) => ({
        kind: kinds[n % kinds.length]!,
        reference: `crowd ${n}`,
        n,
      }));
      const answers = await Promise.all(
        calls.map(async ({ kind: [kind, send], reference, n }) => ({
          kind,
          reference,
          answer: await send(reference, n),
        })),
      );
      const of = (wanted: string) => answers.filter(({ kind }) => kind === wanted).map(({ answer }) => answer);
      const times = (count: number, outcome: unknown) => Array.from({ length: count }, () => outcome);
      expect(outcomes(of('own'))).toEqual(times(20, 201));
      expect(outcomes(of('others'))).toEqual(times(20, 201));
      expect(outcomes(of('capped')).sort()).toEqual([...times(7, 201), ...times(13, 'contract-cap-reached')]);
      expect(outcomes(of('pack')).sort()).toEqual([...times(5, 201), ...times(15, 'pack-exhausted')]);
      expect(of('foreign').map(({ status }) => status)).toEqual(times(20, 404));
      expect(outcomes(of('unknown edition'))).toEqual(times(20, 'edition-unknown'));

      const issued = answers.filter(({ answer }) => answer.status === 201);
      const { rows } = await pool.query<{
        id: string;
        reference: string;
        partner: string;
        entries: number;
        spans: number;
      }>(
        `select l.id, l.external_billing_ref as reference, l.partner_id as partner,
              (select count(*)::int from licensing.ledger_events e where e.license_id = l.id) as entries,
              (select count(*)::int from licensing.ownership_spans s where s.license_id = l.id) as spans
         from licensing.licenses l`,
      );
      const inDatabase = new Map(rows.map((row) => [row.reference, row]));
      expect(rows).toHaveLength(issued.length);
      for (const { answer, reference } of issued) {
        const { id, partnerId, externalBillingRef } = answer.body.license;
        expect(externalBillingRef).toBe(reference);
        expect(inDatabase.get(reference)).toEqual({ id, reference, partner: partnerId, entries: 1, spans: 1 });
      }
      expect(new Set(issued.map(({ answer }) => answer.body.key)).size).toBe(issued.length);
      expect(await Promise.all(issued.slice(0, 6).map(({ answer }) => validity(answer)))).toEqual(times(6, 'VALID'));
      expect(await ledger()).toMatchObject({ broken: null });
    });

    it('each change their own license', async () => {
      const issued = await Promise.all(Array.from({ length: 33 }, (_, n) => issue(seller, `changed ${n}`, n)));
      const calls = ['suspend', 'terminate', 'edition'];
      const expected = ['suspended', 'terminated', 'active'];
      const answers = await Promise.all(
        issued.flatMap(({ body }, n) => {
          const path = `/v1/licenses/${body.license.id}/${calls[n % 3]}`;
          const change = n % 3 === 2 ? { edition: 'web-pro' } : undefined;
          return [clientOf(seller, n).post(path, change), clientOf(other, n).post(path, change)];
        }),
      );
      const own = answers.filter((_, n) => n % 2 === 0);
      const foreign = answers.filter((_, n) => n % 2 === 1);
      expect(foreign.every(({ status }) => status === 404)).toBe(true);
      expect(own.map(({ body }) => [body.id, body.state])).toEqual(
        issued.map(({ body }, n) => [body.license.id, expected[n % 3]]),
      );
      expect(own.every(({ body }, n) => (n % 3 === 2 ? body.edition === 'web-pro' : body.edition === 'web-host'))).toBe(
        true,
      );
      const some = issued.slice(0, 9);
      const codes = await Promise.all(some.map((answer) => validity(answer)));
      expect(codes).toEqual(some.map((_, n) => ['SUSPENDED', 'NOT_FOUND', 'VALID'][n % 3]));
      expect(await ledger()).toMatchObject({ broken: null });
    });

    it('change nothing if the license service has no record, and do not disturb the others', async () => {
      const issued = await Promise.all(Array.from({ length: 24 }, (_, n) => issue(seller, `recorded ${n}`, n)));
      const lost = issued[5]!.body.license;
      await upstream.lose(lost.upstreamLicenseId as string);
      const answers = await Promise.all(
        issued.map(({ body }, n) =>
          n % 2
            ? clientOf(seller, 0).post(`/v1/licenses/${body.license.id}/suspend`)
            : clientOf(seller, 0).post(`/v1/licenses/${body.license.id}/edition`, { edition: 'web-pro' }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(issued.map((_, n) => (n === 5 ? 503 : 200)));
      const { rows } = await pool.query(
        `select l.state, count(e.id)::int as entries from licensing.licenses l
         join licensing.ledger_events e on e.license_id = l.id where l.id = $1 group by 1`,
        [lost.id],
      );
      expect(rows).toEqual([{ state: 'active', entries: 1 }]);
      expect(await ledger()).toMatchObject({ broken: null });
    });

    it('do not change a license that changed after it was read', async () => {
      const { id } = (await issue(seller, 'moved on', 0)).body.license;
      const licenses = first.app.get(LicenseRepository, { strict: false });
      const writer = first.app.get(LicenseWriter, { strict: false });
      const read = (await licenses.find(id))!;
      const change = License.restore(read).call('suspend', { at: new Date(), actor: null, operationId: null })!;
      expect([await writer.write(change, null), await writer.write(change, null)]).toEqual([true, false]);
      expect(await licenses.find(id)).toMatchObject({ state: 'suspended', ledger: { length: 2 } });
    });
  },
);
