import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { KEYED_PLANS, type NamedStatement } from '../batching/named-statement.js';

const MAX_CONNECTIONS = 6;

/** A row as PostgreSQL sends it: its columns in order, as text. */
export type TextRow = readonly (string | null)[];

const AS_TEXT = { getTypeParser: () => (text: string) => text } as pg.CustomTypesConfig;

/**
 * Connections for pages of long lists. Their statements are planned once, because planning takes a third as long as
 * running them.
 */
@Injectable()
export class PageConnections implements OnApplicationShutdown {
  private pool: pg.Pool | null = null;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async rows({ name, text }: NamedStatement, values: readonly unknown[]): Promise<TextRow[]> {
    this.pool ??= this.open();
    return textRows(this.pool, { name, text, values: [...values] });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end().catch(() => undefined);
  }

  private open(): pg.Pool {
    const { url, applicationName, extra } = this.dataSource.options as {
      url?: string;
      applicationName?: string;
      extra?: object;
    };
    const own = { connectionString: url, application_name: applicationName, max: MAX_CONNECTIONS };
    const pool = new pg.Pool({ ...extra, ...own, options: KEYED_PLANS });
    // The running query fails; the next one opens another connection.
    pool.on('error', () => undefined);
    return pool;
  }
}

export async function textRows(
  on: pg.Pool | pg.ClientBase,
  query: Omit<pg.QueryArrayConfig, 'rowMode'>,
): Promise<TextRow[]> {
  const { rows } = await on.query<(string | null)[]>({ rowMode: 'array', types: AS_TEXT, ...query });
  return rows;
}
