import { Injectable } from '@nestjs/common';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { FeedReader, type FeedEntry, type FeedSelection } from '../../application/ports/realtime/feed-reader.js';
import { scopeIds } from '../sql/service-columns.js';

const COLUMNS = `f.seq::text, f.type, f.service_id as "serviceId", f.customer_id as "customerId",
  f.deployment_id as "deploymentId", f.data, f.at`;

type FeedRow = Omit<FeedEntry, 'seq'> & { readonly seq: string };

@Injectable()
export class SqlFeedReader extends FeedReader {
  constructor(private readonly transactions: TypeOrmTransactions) {
    super();
  }

  async newest(): Promise<number> {
    const [row]: { newest: string }[] = await this.transactions.reader.query(
      'select coalesce(max(seq), 0)::text as newest from services.feed',
    );
    return Number(row!.newest);
  }

  async after(seq: number, limit: number): Promise<readonly FeedEntry[]> {
    const rows: FeedRow[] = await this.transactions.reader.query(
      `select ${COLUMNS} from services.feed f where f.seq > $1 order by f.seq limit $2`,
      [seq, limit],
    );
    return rows.map(toEntry);
  }

  /** Who writes into a table holds this lock from before it is given a number until its transaction is over. */
  async writers(): Promise<ReadonlySet<string>> {
    const rows: { writer: string }[] = await this.transactions.reader.query(
      `select l.virtualtransaction as writer from pg_locks l
        where l.locktype = 'relation' and l.relation = 'services.feed'::regclass and l.mode = 'RowExclusiveLock'
          and l.database = (select oid from pg_database where datname = current_database())`,
    );
    return new Set(rows.map(({ writer }) => writer));
  }

  async missed(
    { scope, serviceId, deploymentId, types }: FeedSelection,
    since: number,
    upTo: number,
    limit: number,
  ): Promise<readonly FeedEntry[] | null> {
    if (since > upTo) return null;
    if (since === upTo) return [];
    const [oldest]: { seq: string | null }[] = await this.transactions.reader.query(
      'select min(seq)::text as seq from services.feed',
    );
    // The last row is never cleared away, so an empty feed has never told anything.
    if (oldest?.seq && Number(oldest.seq) > since + 1) return null;
    const rows: FeedRow[] = await this.transactions.reader.query(
      `select ${COLUMNS} from services.feed f
        where f.seq > $1 and f.seq <= $2 and f.type = any($3::text[])
          and ($4::uuid is null or f.service_id = $4) and ($5::uuid is null or f.deployment_id = $5)
          and ($6::uuid[] is null or f.customer_id = any($6::uuid[]))
        order by f.seq limit $7`,
      [since, upTo, types, serviceId, deploymentId, scopeIds(scope), limit + 1],
    );
    return rows.length > limit ? null : rows.map(toEntry);
  }

  async forget(olderThanMs: number): Promise<number> {
    return this.transactions.run(async () => {
      // Whole beginnings alone, so that a reader can tell from the oldest row whether it missed something.
      const [, count] = await this.transactions.writer.query<[unknown, number]>(
        `delete from services.feed
          where seq < (select max(seq) from services.feed)
            and seq <= (select max(seq) from services.feed
                         where stored_at < now() - $1 * interval '1 millisecond')`,
        [olderThanMs],
      );
      return count;
    });
  }
}

/** Numbers of a feed stay far below 2^53. */
function toEntry({ seq, ...rest }: FeedRow): FeedEntry {
  return { ...rest, seq: Number(seq) };
}
