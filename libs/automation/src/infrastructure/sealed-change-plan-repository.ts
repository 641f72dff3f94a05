import type { Uuid } from '#kernel/crypto/uuid';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { KeyRing, SealContext } from '#platform/key-ring';
import { ChangePlanRepository, type ChangeRequest } from '../application/ports/change-plan-repository.js';
import type { ChangePlan } from '../domain/change-plan.js';

const COLUMNS = `id, api_key_id as "apiKeyId", kind, basis, created_at as "createdAt", expires_at as "expiresAt",
  applied_at as "appliedAt"`;

type PlanRow = ChangePlan & { readonly sealed: Buffer };

/** Plans in PostgreSQL; the request in them is sealed and opens only in its own row. */
export class SealedChangePlanRepository extends ChangePlanRepository {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    private readonly keyRing: KeyRing,
  ) {
    super();
  }

  async insert(plan: ChangePlan, request: ChangeRequest): Promise<void> {
    const { id, apiKeyId, kind, basis, createdAt, expiresAt, appliedAt } = plan;
    await this.transactions.writer.query(
      `insert into automation.change_plans
         (id, api_key_id, kind, basis, created_at, expires_at, applied_at, sealed_request)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[id, apiKeyId, kind, basis, createdAt, expiresAt, appliedAt],
        this.keyRing.seal(JSON.stringify(request), contextOf(id)),
      ],
    );
  }

  async find(apiKeyId: Uuid, id: Uuid): Promise<{ plan: ChangePlan; request: ChangeRequest } | null> {
    const rows: PlanRow[] = await this.transactions.reader.query(
      `select ${COLUMNS}, sealed_request as sealed from automation.change_plans where id = $1 and api_key_id = $2`,
      [id, apiKeyId],
    );
    if (!rows[0]) return null;
    const { sealed, ...plan } = rows[0];
    const request = JSON.parse(this.keyRing.open(sealed, contextOf(id)).toString('utf8')) as ChangeRequest;
    return { plan, request };
  }

  async getForUpdate(apiKeyId: Uuid, id: Uuid): Promise<ChangePlan | null> {
    const rows: ChangePlan[] = await this.transactions.writer.query(
      `select ${COLUMNS} from automation.change_plans where id = $1 and api_key_id = $2 for update`,
      [id, apiKeyId],
    );
    return rows[0] ?? null;
  }

  async update({ id, appliedAt }: ChangePlan): Promise<void> {
    await this.transactions.writer.query('update automation.change_plans set applied_at = $2 where id = $1', [
      id,
      appliedAt,
    ]);
  }

  async forget(before: Date): Promise<void> {
    await this.transactions.writer.query('delete from automation.change_plans where expires_at < $1', [before]);
  }
}

function contextOf(rowId: Uuid): SealContext {
  return { purpose: 'change-plans', table: 'automation.change_plans', column: 'sealed_request', rowId };
}
