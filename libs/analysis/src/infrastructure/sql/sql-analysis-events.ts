import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { OrganisationScope } from '#libs/services';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { AnalysisEvents, type AnalysisEvent } from '../../application/ports/analysis-events.js';
import { inScope, scopeIds } from './analysis-columns.js';

@Injectable()
export class SqlAnalysisEvents extends AnalysisEvents {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async append({ analysisId, type, at, data }: Omit<AnalysisEvent, 'seq'>): Promise<void> {
    await this.transactions.writer.query(
      `insert into analysis.events (analysis_id, seq, type, at, data)
       select $1, coalesce(max(e.seq), 0) + 1, $2, $3, $4 from analysis.events e where e.analysis_id = $1`,
      [analysisId, type, at, JSON.stringify(data)],
    );
  }

  async after(known: ReadonlyMap<Uuid, number>, limit: number): Promise<readonly AnalysisEvent[]> {
    if (known.size === 0) return [];
    return this.transactions.reader.query<AnalysisEvent[]>(
      `select e.analysis_id as "analysisId", e.seq, e.type, e.at, e.data
         from unnest($1::uuid[], $2::integer[]) as known (analysis_id, seq)
         join analysis.events e on e.analysis_id = known.analysis_id and e.seq > known.seq
        order by e.analysis_id, e.seq limit $3`,
      [[...known.keys()], [...known.values()], limit],
    );
  }

  async last(scope: OrganisationScope, analysisId: Uuid): Promise<number | null> {
    const rows: { seq: number }[] = await this.transactions.reader.query(
      `select coalesce((select max(e.seq) from analysis.events e where e.analysis_id = a.id), 0) as seq
         from analysis.analyses a where a.id = $1 and ${inScope('$2')}`,
      [analysisId, scopeIds(scope)],
    );
    return rows[0]?.seq ?? null;
  }
}
