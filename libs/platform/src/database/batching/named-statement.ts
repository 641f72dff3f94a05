import type { ClientBase, Pool, QueryResultRow } from 'pg';
import type { DataSource } from 'typeorm';

/** A statement that each connection prepares once under its name, so that PostgreSQL parses and plans it once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Settings for connections whose named statements have one good plan whatever the values. By default PostgreSQL often
 * replans statements with array parameters, because it knows the lengths of the arrays and estimates shorter ones as
 * cheaper. These statements find rows by an index. A table that is usually empty, and was when the plan was made, seems
 * cheaper to scan, but it can contain thousands of dead rows. JIT is off because a server with JIT compiles plans that
 * seem expensive at each execution, and a plan with a sequential scan may seem so.
 */
export const KEYED_PLANS = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off';

/** TypeORM sends statements without a name, which costs a parse and a plan each time. */
export async function runNamed<R extends QueryResultRow>(
  on: Pool | ClientBase,
  { name, text }: NamedStatement,
  values: readonly unknown[],
): Promise<R[]> {
  const { rows } = await on.query<R>({ name, text, values: [...values] });
  return rows;
}

/** TypeORM's connection pool, for what TypeORM cannot do itself. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}
