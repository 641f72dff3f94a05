import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { KeyRing } from '../../key-ring.js';
import { assertOwnKeyRing } from '../../sealed/key-ring-proof.js';
import type { SealedKind } from '../../sealed/sealed-kind.js';
import { StartRefused } from '../../start-refused.js';
import { Migrator } from './migrator.js';

export const SEALED = Symbol('sealed');

export interface Sealed {
  readonly ring: KeyRing | undefined;
  readonly kinds: readonly SealedKind[];
}

/** Refuses to start a process on an older schema, or with the key ring of another database. */
@Injectable()
export class SchemaGate implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SEALED) private readonly sealed: Sealed | null,
  ) {}

  async onModuleInit(): Promise<void> {
    const pending = await new Migrator(this.dataSource).pending();
    if (pending.length > 0)
      throw new StartRefused(
        `The database lacks ${pending.length} migration(s). Run \`npm run cli -- migrate\` first.`,
      );
    if (this.sealed) await assertOwnKeyRing(this.dataSource, this.sealed.ring, this.sealed.kinds);
  }
}
