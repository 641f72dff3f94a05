import type { ClientBase, Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';

/** A statement that each connection prepares once under its name, so that PostgreSQL parses and plans it once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * For connections whose named statements have one good plan, whatever the values: otherwise those that take arrays are
 * often planned anew each time, because PostgreSQL knows the lengths of the arrays and takes fewer rows for cheaper.
 * What they ask for they find by an index. A table that most often is empty, and so was when the plan was made, seems
 * quicker to walk through, but thousands of rows that were just deleted can lie in it. Nor are they compiled: a server
 * that can do so does it for what seems expensive, at each execution, and a plan that must walk over a table may seem so.
 */
export const KEYED_PLANS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/** TypeORM hands statements to the driver without a name, which costs a parse and a plan each time. */
export async function runNamed<R extends QueryResultRow>(
  on: Pool | ClientBase,
  { name, text }: NamedStatement,
  values: readonly unknown[],
): Promise<R[]> {
  const { rows } = await on.query<R>({ name, text, values: [...values] });
  return rows;
}

/** The connections that TypeORM keeps, for what it does not do itself. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
