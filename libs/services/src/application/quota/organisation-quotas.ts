import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { NotFound } from '#kernel/errors';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { AuditLog, Directory, type AuditActor } from '#libs/panel-auth';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import {
  isLimited,
  overdrawn,
  tightest,
  UNLIMITED,
  withLimits,
  type QuotaLimits,
  type QuotaUse,
} from '../../domain/quota/quota.js';
import { QuotaExceeded, type Overdraft } from '../../domain/quota/quota-exceeded.js';
import { QuotaRepository } from '../ports/quota-repository.js';
import { ServicesSettings } from '../settings.js';

/** The limits and the use of an organisation. */
export interface QuotaStanding {
  /** For each kind the lowest of its own limit and those of all organisations above it. */
  readonly limits: QuotaLimits;
  readonly used: QuotaUse;
}

/**
 * Limits for the sum of an organisation's services. A limit also covers all organisations below, so a service must fit
 * into the limits of its own organisation and of every one above.
 */
@Injectable()
export class OrganisationQuotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly directory: Directory,
    private readonly audit: AuditLog,
    private readonly settings: ServicesSettings,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws NotFound */
  async standing(organisationId: Uuid): Promise<QuotaStanding> {
    const [limits, used] = await Promise.all([this.limitsAbove(organisationId), this.use(organisationId)]);
    return { limits: tightest([...limits.values()]), used };
  }

  /** The limits of the organisation itself, or the defaults if none were set. @throws NotFound */
  async own(organisationId: Uuid): Promise<QuotaLimits> {
    return (await this.limitsAbove(organisationId)).get(organisationId)!;
  }

  /**
   * Changes limits; omitted ones stay as they are. A limit may be below the current use. Running services then continue
   * to run, but nothing can be added or deployed.
   * @throws Invalid for a limit out of range; NotFound
   */
  async change(organisationId: Uuid, change: Partial<QuotaLimits>, actor: AuditActor): Promise<QuotaLimits> {
    return this.transactions.run(async () => {
      await this.directory.holdLineage(organisationId);
      const limits = withLimits(await this.own(organisationId), change);
      await this.quotas.put(organisationId, limits, this.clock.now());
      const detail = { ...limits };
      await this.audit.record({ action: 'quota.set', actor, organisationId, target: organisationId, detail });
      return limits;
    });
  }

  /**
   * Call it in the transaction that stores a service, after it is stored. Until that transaction ends, others who add
   * services under the same limit wait.
   * @throws QuotaExceeded if the limits are exceeded now
   */
  async admit(organisationId: Uuid): Promise<void> {
    const lineage = await this.directory.lineage(organisationId);
    if (![...(await this.limitsOf(lineage)).values()].some(isLimited)) return;
    const overdraft = await this.overdraftIn(await this.directory.holdLineage(organisationId));
    if (overdraft) throw new QuotaExceeded(overdraft);
  }

  /** The first limit that is exceeded, for the organisation or one above it. Null if there is none. */
  async overdraft(organisationId: Uuid): Promise<Overdraft | null> {
    return this.overdraftIn(await this.directory.lineage(organisationId));
  }

  /** Checks the organisation's own limit first, because only its details may be shown to the organisation. */
  private async overdraftIn(lineage: readonly Uuid[]): Promise<Overdraft | null> {
    const limits = await this.limitsOf(lineage);
    for (const id of [...lineage].reverse()) {
      const allowed = limits.get(id)!;
      if (!isLimited(allowed)) continue;
      const use = await this.use(id);
      const kinds = overdrawn(allowed, use);
      if (kinds.length > 0) return { isOwn: id === lineage.at(-1), kinds, limits: allowed, use };
    }
    return null;
  }

  private async limitsAbove(organisationId: Uuid): Promise<ReadonlyMap<Uuid, QuotaLimits>> {
    const lineage = await this.directory.lineage(organisationId);
    if (lineage.length === 0) throw new NotFound();
    return this.limitsOf(lineage);
  }

  /** The defaults apply to the top-level organisation if no limits were set for it. */
  private async limitsOf(lineage: readonly Uuid[]): Promise<ReadonlyMap<Uuid, QuotaLimits>> {
    const set = await this.quotas.limits(lineage);
    return new Map(
      lineage.map((id, index) => [id, set.get(id) ?? (index === 0 ? this.settings.quotaDefaults : UNLIMITED)]),
    );
  }

  private async use(organisationId: Uuid): Promise<QuotaUse> {
    return this.quotas.use(OrganisationScope.of(await this.directory.subtree(organisationId)));
  }
}
