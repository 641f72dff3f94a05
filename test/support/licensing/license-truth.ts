import { randomUUID } from 'node:crypto';
import { KeygenStub } from './keygen-stub.js';

type Sql = (text: string, values?: unknown[]) => Promise<any[]>;

/** A license service for the API under test, and a check of the records in it. */
export interface LicenseTruth {
  readonly settings: Record<string, string>;
  /** Licenses whose record there differs from ours, and records without a license. */
  differences(sql: Sql): Promise<unknown[]>;
  isUsable(key: string): Promise<boolean>;
  stop(): Promise<void>;
}

export function localTruth(validate: (key: string) => Promise<string>): LicenseTruth {
  return {
    settings: {},
    differences: (sql) =>
      sql(
        `select l.id, u.id as upstream, l.state, u.suspended, u.revoked_at, l.edition, p.edition as policy
           from licensing.licenses l
           full join license_service.licenses u on u.id = l.upstream_license_id
           left join license_service.policies p on p.id = u.policy_id
          where (l.id is null and u.revoked_at is null) or (l.id is not null and u.id is null)
             or (l.state = 'terminated') <> (u.revoked_at is not null)
             or (l.state = 'suspended') <> u.suspended and u.revoked_at is null
             or l.edition <> p.edition`,
      ),
    isUsable: async (key) => (await validate(key)) === 'VALID',
    stop: () => Promise.resolve(),
  };
}

export async function keygenTruth(): Promise<LicenseTruth> {
  const policies = { 'web-host': randomUUID(), 'web-pro': randomUUID() };
  const stub = await new KeygenStub(Object.values(policies)).start();
  const records = (licenses: { upstream_license_id: string; state: string; edition: keyof typeof policies }[]) =>
    licenses
      .filter(({ state }) => state !== 'terminated')
      .map(({ upstream_license_id: id, state, edition }) => ({ id, suspended: state === 'suspended', edition }));
  return {
    settings: {
      LICENSE_SERVICE: 'keygen',
      KEYGEN_HOST: stub.origin,
      KEYGEN_ACCOUNT_ID: stub.accountId,
      KEYGEN_TOKEN: stub.token,
      EDITIONS: Object.entries(policies)
        .map(([edition, policy]) => `${edition}=${policy}`)
        .join(','),
    },
    async differences(sql) {
      const ours = records(await sql('select upstream_license_id, state, edition from licensing.licenses'));
      const theirs = [...stub.licenses].map(([id, { suspended, policyId }]) => ({
        id,
        suspended,
        edition: Object.entries(policies).find(([, policy]) => policy === policyId)?.[0],
      }));
      const onlyIn = (these: readonly object[], those: readonly object[]) => {
        const known = new Set(those.map((record) => JSON.stringify(record)));
        return these.filter((record) => !known.has(JSON.stringify(record)));
      };
      return [...onlyIn(ours, theirs), ...onlyIn(theirs, ours)];
    },
    isUsable: (key) => Promise.resolve([...stub.licenses.values()].some((record) => record.key === key)),
    stop: () => stub.stop(),
  };
}
