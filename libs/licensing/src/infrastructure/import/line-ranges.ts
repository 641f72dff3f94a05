import type { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import type { LineType } from '../../application/import/import-line.js';
import { tableOf } from './staging-tables.js';

/** Lines per statement, so that it ends well before the connection's time limit. */
const RANGE = 50_000;

/** The lines of a type in ranges of line numbers, both ends included. */
export async function* lineRanges(
  transactions: TypeOrmTransactions,
  type: LineType,
): AsyncGenerator<readonly [number, number]> {
  let from = 0;
  for (;;) {
    const [{ to }] = await transactions.writer.query<[{ to: number | null }]>(
      `select max(line) as to from (select line from ${tableOf(type)} where line > $1 order by line limit ${RANGE}) s`,
      [from],
    );
    if (to === null) return;
    yield [from + 1, to];
    from = to;
  }
}
