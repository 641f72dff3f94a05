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

/** What an organisation may have and has. */
export interface QuotaStanding {
  /** Its own limits and those of all above it, of each kind the lowest. */
  readonly limits: QuotaLimits;
  readonly used: QuotaUse;
}

/**
 * How much the services of an organisation may be together. A limit counts for the organisation and everything below
 * it, so that a service must fit into the limits of its own organisation and of each above.
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

  /** @throws NotFound when there is no such organisation */
  async standing(organisationId: Uuid): Promise<QuotaStanding> {
    const [limits, used] = await Promise.all([this.limitsAbove(organisationId), this.use(organisationId)]);
    return { limits: tightest([...limits.values()]), used };
  }

  /** The limits of the organisation itself, set or by default. @throws NotFound when there is no such organisation */
  async own(organisationId: Uuid): Promise<QuotaLimits> {
    return (await this.limitsAbove(organisationId)).get(organisationId)!;
  }

  /**
   * Replaces those of its limits that are named. A limit may be lower than what is used: nothing is stopped, but
   * nothing is added or deployed again either.
   * @throws Invalid for a limit out of its range; NotFound when there is no such organisation
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
   * To be called in the transaction that stores a service of the organisation, after it is stored. Whoever else adds
   * one below the same limit waits until that transaction has ended.
   * @throws QuotaExceeded when the service does not fit
   */
  async admit(organisationId: Uuid): Promise<void> {
    const lineage = await this.directory.lineage(organisationId);
    if (![...(await this.limitsOf(lineage)).values()].some(isLimited)) return;
    const overdraft = await this.overdraftIn(await this.directory.holdLineage(organisationId));
    if (overdraft) throw new QuotaExceeded(overdraft);
  }

  /** Null while the organisation and all above it have no more than they may have. */
  async overdraft(organisationId: Uuid): Promise<Overdraft | null> {
    return this.overdraftIn(await this.directory.lineage(organisationId));
  }

  /** The own limit first: it is the one that the organisation can be told about. */
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

  /** The defaults are limits of the topmost organisation as long as nobody set any for it. */
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
