import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog } from './audit-log.js';
import { SealedRows, type SealedRow } from './ports/resealing.js';
import { Vault, type SealedColumn } from './ports/vault.js';

const PAGE_SIZE = 200;

export interface ResealedColumn {
  readonly column: SealedColumn;
  readonly resealed: number;
  readonly upToDate: number;
  /** Values that no key of the ring opens: the old key was removed, or the value was tampered with. */
  readonly unreadable: number;
}

/**
 * Seals everything again with the newest key. It may be interrupted and repeated at any point, and may run while the
 * installation is in use: each page is a transaction, and a value that changed meanwhile is left alone.
 */
@Injectable()
export class Resealing {
  constructor(
    private readonly rows: SealedRows,
    private readonly vault: Vault,
    private readonly audit: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  async run(): Promise<readonly ResealedColumn[]> {
    const results: ResealedColumn[] = [];
    for (const column of this.rows.columns) results.push(await this.resealColumn(column));
    const detail = Object.fromEntries(results.map(({ column, resealed }) => [column, resealed]));
    await this.transactions.run(() =>
      this.audit.record({
        action: 'secrets.rotated',
        actor: { userId: null, apiKeyId: null },
        organisationId: null,
        target: null,
        detail,
      }),
    );
    return results;
  }

  private async resealColumn(column: SealedColumn): Promise<ResealedColumn> {
    const count = { resealed: 0, upToDate: 0, unreadable: 0 };
    let after: Uuid | null = null;
    for (;;) {
      const page: readonly SealedRow[] = await this.rows.page(column, after, PAGE_SIZE);
      await this.transactions.run(async () => {
        for (const row of page) count[await this.reseal(column, row)]++;
      });
      if (page.length < PAGE_SIZE) return { column, ...count };
      after = page.at(-1)!.id;
    }
  }

  private async reseal(column: SealedColumn, row: SealedRow): Promise<'resealed' | 'upToDate' | 'unreadable'> {
    const clear = this.vault.open(row.sealed, column, row.id);
    if (clear === null) return 'unreadable';
    if (!this.vault.isStale(row.sealed)) return 'upToDate';
    const replaced = await this.rows.replace(column, row.id, row.sealed, this.vault.seal(clear, column, row.id));
    // Whoever changed the value in the meantime sealed it with the newest key.
    return replaced ? 'resealed' : 'upToDate';
  }
}
