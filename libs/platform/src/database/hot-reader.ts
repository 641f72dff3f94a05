import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';

/** A statement that each connection prepares once under its name, so that PostgreSQL parses and plans it once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/**
 * Reads of the hot path: no entity, no query builder, outside any transaction. TypeORM hands statements to the driver
 * without a name, which costs a parse and a plan each time.
 */
@Injectable()
export class HotReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    const pool = (this.dataSource.driver as unknown as { master: Pool }).master;
    const result = await pool.query<R>({ name: statement.name, text: statement.text, values: [...values] });
    return result.rows;
  }
}
