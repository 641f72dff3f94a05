import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { DataSource } from 'typeorm';
import { poolOf, runNamed, type NamedStatement } from './named-statement.js';
import { PageConnections, textRows, type TextRow } from '../connections/page-connections.js';
import { PipelinedConnection } from './pipelined-connection.js';

/** Reads of the hot path: no entity, no query builder, outside any transaction. */
@Injectable()
export class HotReader {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly pipeline: PipelinedConnection,
    private readonly pages: PageConnections,
  ) {}

  /** What is found by key, in well under a millisecond: all of it shares one connection. */
  rows<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return this.pipeline.rows<R>(statement, values);
  }

  /** The same, a row as its texts: what is shown as it is need not be taken apart into values. */
  texts(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return this.pipeline.texts(statement, values);
  }

  /** Pages of long lists, a row as its texts, by a statement that has one good plan whatever the values. */
  page(statement: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    return this.pages.rows(statement, values);
  }

  /** The same where the plan depends on the values: it is made anew each time. */
  filtered(text: string, values: readonly unknown[]): Promise<TextRow[]> {
    return textRows(poolOf(this.dataSource), { text, values: [...values] });
  }

  /** Lists and whatever else may take its time, on a connection of its own. */
  list<R extends QueryResultRow>(statement: NamedStatement, values: readonly unknown[]): Promise<R[]> {
    return runNamed<R>(poolOf(this.dataSource), statement, values);
  }
}
