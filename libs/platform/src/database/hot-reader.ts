import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { runNamed, type NamedStatement } from './named-statement.js';

/** Reads of the hot path: no entity, no query builder, outside any transaction. */
@Injectable()
export class HotReader {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return runNamed<R>((this.dataSource.driver as unknown as { master: Pool }).master, statement, values);
  }
}
