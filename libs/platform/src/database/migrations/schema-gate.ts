import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { StartRefused } from '../../start-refused.js';
import { Migrator } from './migrator.js';

/** A process of this release does not start on the schema of an older one. */
@Injectable()
export class SchemaGate implements OnModuleInit {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    const pending = await new Migrator(this.dataSource).pending();
    if (pending.length === 0) return;
    throw new StartRefused(`The database lacks ${pending.length} migration(s): run \`npm run cli -- migrate\` first.`);
  }
}
