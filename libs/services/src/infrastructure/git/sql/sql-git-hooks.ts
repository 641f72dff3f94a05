import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing, SealContext } from '#platform/key-ring';
import { GitHooks, type GitHook, type HookDelivery } from '../../../application/ports/git/git-hooks.js';

const DELIVERY = `id, service_id as "serviceId", provider, event, ref, commit_sha as "commitSha", outcome, message,
  pull_request as "pullRequest",
  deployment_id as "deploymentId", redelivery_of as "redeliveryOf", received_at as "receivedAt"`;

/** Each secret is sealed with the key ring, bound to its service. */
export class SqlGitHooks extends GitHooks {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Null if this process can neither open nor seal secrets. */
    private readonly keyRing: KeyRing | null,
  ) {
    super();
  }

  async put({ serviceId, hookId, secret }: GitHook, at: Date): Promise<string> {
    const sealed = this.keys.seal(secret.reveal(), contextOf(serviceId));
    const [row]: { hookId: string }[] = await this.transactions.writer.query(
      `insert into services.git_hooks (service_id, hook_id, secret, created_at) values ($1, $2, $3, $4)
       on conflict (service_id) do update set secret = excluded.secret, rotated_at = $4
       returning hook_id as "hookId"`,
      [serviceId, hookId, sealed, at],
    );
    return row!.hookId;
  }

  async find(hookId: string): Promise<GitHook | null> {
    const [row]: { serviceId: Uuid; secret: Buffer }[] = await this.transactions.reader.query(
      'select service_id as "serviceId", secret from services.git_hooks where hook_id = $1',
      [hookId],
    );
    if (!row) return null;
    const secret = this.keys.open(row.secret, contextOf(row.serviceId)).toString('utf8');
    return { serviceId: row.serviceId, hookId, secret: new SecretText(secret) };
  }

  async ofService(serviceId: Uuid): Promise<{ readonly hookId: string; readonly createdAt: Date } | null> {
    const [row]: { hookId: string; createdAt: Date }[] = await this.transactions.reader.query(
      'select hook_id as "hookId", created_at as "createdAt" from services.git_hooks where service_id = $1',
      [serviceId],
    );
    return row ?? null;
  }

  async remove(serviceId: Uuid): Promise<boolean> {
    const [, removed] = await this.transactions.writer.query<[unknown, number]>(
      'delete from services.git_hooks where service_id = $1',
      [serviceId],
    );
    return removed > 0;
  }

  async record(delivery: HookDelivery): Promise<boolean> {
    const { id, serviceId, provider, event, ref, commitSha, outcome, message, deploymentId, receivedAt } = delivery;
    const { redeliveryOf, pullRequest } = delivery;
    const rows: unknown[] = await this.transactions.writer.query(
      `insert into services.hook_deliveries (id, service_id, provider, event, ref, commit_sha, outcome, message,
         deployment_id, received_at, redelivery_of, pull_request)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (service_id, commit_sha)
         where outcome = 'deployed' and redelivery_of is null and pull_request is null do nothing
       returning id`,
      [
        id,
        serviceId,
        provider,
        event,
        ref,
        commitSha,
        outcome,
        message,
        deploymentId,
        receivedAt,
        redeliveryOf,
        pullRequest,
      ],
    );
    return rows.length > 0;
  }

  async hasDeployed(serviceId: Uuid, pullRequest: number, commitSha: string): Promise<boolean> {
    const rows: unknown[] = await this.transactions.reader.query(
      `select from services.hook_deliveries
        where service_id = $1 and pull_request = $2 and commit_sha = $3 and outcome = 'deployed' limit 1`,
      [serviceId, pullRequest, commitSha],
    );
    return rows.length > 0;
  }

  async delivery(serviceId: Uuid, id: Uuid): Promise<HookDelivery | null> {
    const [row]: HookDelivery[] = await this.transactions.reader.query(
      `select ${DELIVERY} from services.hook_deliveries where service_id = $1 and id = $2`,
      [serviceId, id],
    );
    return row ?? null;
  }

  deliveries(serviceId: Uuid, limit: number): Promise<readonly HookDelivery[]> {
    return this.transactions.reader.query(
      `select ${DELIVERY} from services.hook_deliveries where service_id = $1
        order by received_at desc, id desc limit $2`,
      [serviceId, limit],
    );
  }

  private get keys(): KeyRing {
    if (!this.keyRing) throw new Error('a hook cannot be opened without keys');
    return this.keyRing;
  }
}

function contextOf(serviceId: Uuid): SealContext {
  return { purpose: 'services.git_hooks', table: 'services.git_hooks', column: 'secret', rowId: serviceId };
}
