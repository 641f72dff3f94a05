import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf, runNamed, type NamedStatement } from './named-statement.js';
import { PageConnections, textRows, type TextRow } from '../connections/page-connections.js';
import { PipelinedConnection } from './pipelined-connection.js';

/** Reads of the hot path: without entities, query builder or transaction. */
@Injectable()
export class HotReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pipeline: PipelinedConnection,
    private readonly pages: PageConnections,
  ) {}

  /** Rows found by key in well under a millisecond. All such reads share one connection. */
  rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return this.pipeline.rows<R>(statement, values);
  }

  /** Same as `rows`, but each row as text columns. Use it for values that are passed on unparsed. */
  texts(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return this.pipeline.texts(statement, values);
  }

  /** Pages of long lists, each row as text columns, for a statement with one good plan whatever the values. */
  page(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return this.pages.rows(statement, values);
  }

  /** Same as `page`, for statements whose plan depends on the values: they are planned each time. */
  filtered(text: string, values: readonly unknown[]): Promise<TextRow[]> {
    return textRows(poolOf(this.dataSource), { text, values: [...values] });
  }

  /** Lists and other slower reads, on a connection of the pool. */
  list<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return runNamed<R>(poolOf(this.dataSource), statement, values);
  }
}
