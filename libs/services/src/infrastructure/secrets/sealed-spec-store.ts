import type { Uuid } from '#kernel/crypto/uuid';
import { type KeyRing, SealBroken, type SealContext } from '#platform/key-ring';
import { TypeOrmTransactions } from '#platform/database/transactions/typeorm-transactions';
import { SpecStore, type ResealedSpecs, type ServiceSpec } from '../../application/ports/spec-store.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { GitSource } from '../../domain/git/git-source.js';
import type { ResourceLimits } from '../../domain/resource-limits.js';

/** Build secrets are missing in what was stored before there were any. */
type StoredSource = Omit<GitSource, 'buildSecrets'> & Partial<Pick<GitSource, 'buildSecrets'>>;

interface StoredSpec {
  readonly composeYaml: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly hashKey: string;
  /** Missing in what was stored before there was any. */
  readonly git?: StoredSource | null;
}

/** Specifications under AES-256-GCM; each opens only as the version of the service that it was sealed for. */
export class SealedSpecStore extends SpecStore {
  constructor(
    private readonly transactions: TypeOrmTransactions,
    /** Null: nothing can be opened or sealed here. */
    private readonly keyRing: KeyRing | null,
  ) {
    super();
  }

  seal(serviceId: Uuid, version: number, spec: ServiceSpec): Buffer {
    const stored: StoredSpec = {
      composeYaml: spec.composeYaml,
      variables: Object.fromEntries(spec.variables),
      hashKey: spec.hashKey.toString('base64'),
      git: spec.git,
    };
    if (!this.keyRing) throw new Error('a specification cannot be sealed without keys');
    return this.keyRing.seal(JSON.stringify(stored), contextOf(serviceId, version));
  }

  async add(serviceId: Uuid, spec: ServiceSpec, at: Date): Promise<number> {
    const { writer } = this.transactions;
    const [last]: { version: number }[] = await writer.query(
      'select max(version) as version from services.specs where service_id = $1',
      [serviceId],
    );
    const version = (last?.version ?? 0) + 1;
    const { cpuCores, memoryMb, diskMb } = spec.resourceLimits;
    await writer.query(
      `insert into services.specs (service_id, version, sealed, created_at, cpu_cores, memory_mb, disk_mb)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [serviceId, version, this.seal(serviceId, version, spec), at, cpuCores, memoryMb, diskMb],
    );
    return version;
  }

  async open(serviceId: Uuid, version: number): Promise<ServiceSpec> {
    const [row]: ({ sealed: Buffer } & ResourceLimits)[] = await this.transactions.reader.query(
      `select sealed, cpu_cores as "cpuCores", memory_mb::float8 as "memoryMb", disk_mb::float8 as "diskMb"
         from services.specs where service_id = $1 and version = $2`,
      [serviceId, version],
    );
    if (!row) throw new DeployFailure('secret_undecryptable', 'The stored specification is missing.');
    const { sealed, ...resourceLimits } = row;
    const stored = this.unseal(sealed, contextOf(serviceId, version));
    return {
      resourceLimits,
      composeYaml: stored.composeYaml,
      variables: new Map(Object.entries(stored.variables)),
      git: stored.git ? { buildSecrets: {}, ...stored.git } : null,
      hashKey: Buffer.from(stored.hashKey, 'base64'),
    };
  }

  async reseal(): Promise<ResealedSpecs> {
    const counts = { resealed: 0, upToDate: 0, unreadable: 0 };
    const rows: { serviceId: Uuid; version: number }[] = await this.transactions.reader.query(
      'select service_id as "serviceId", version from services.specs order by service_id, version',
    );
    // A row never changes but here, so that one transaction a row is enough.
    for (const { serviceId, version } of rows) counts[await this.resealOne(serviceId, version)] += 1;
    return counts;
  }

  private resealOne(serviceId: Uuid, version: number): Promise<keyof ResealedSpecs> {
    return this.transactions.run(async () => {
      const [row]: { sealed: Buffer }[] = await this.transactions.writer.query(
        'select sealed from services.specs where service_id = $1 and version = $2 for update',
        [serviceId, version],
      );
      if (!this.keyRing || !row) return 'unreadable';
      if (!this.keyRing.isStale(row.sealed)) return 'upToDate';
      const context = contextOf(serviceId, version);
      try {
        const sealed = this.keyRing.seal(this.keyRing.open(row.sealed, context), context);
        await this.transactions.writer.query(
          'update services.specs set sealed = $3 where service_id = $1 and version = $2',
          [serviceId, version, sealed],
        );
        return 'resealed';
      } catch (error) {
        if (error instanceof SealBroken) return 'unreadable';
        throw error;
      }
    });
  }

  private unseal(sealed: Buffer, context: SealContext): StoredSpec {
    try {
      if (!this.keyRing) throw new SealBroken();
      return JSON.parse(this.keyRing.open(sealed, context).toString('utf8')) as StoredSpec;
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      throw new DeployFailure('secret_undecryptable', 'The stored specification cannot be opened.', { cause: error });
    }
  }
}

function contextOf(serviceId: Uuid, version: number): SealContext {
  return { purpose: 'services.specs', table: 'services.specs', column: 'sealed', rowId: `${serviceId}/${version}` };
}
