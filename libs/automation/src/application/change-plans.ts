import { Injectable } from '@nestjs/common';
import { NotFound } from '#kernel/errors';
import { Randomness } from '#kernel/crypto/randomness';
import { Clock } from '#kernel/time/clock';
import { Transactions } from '#kernel/transactions';
import type { Uuid } from '#kernel/crypto/uuid';
import { applied, newChangePlan, type ChangeKind, type ChangePlan } from '../domain/change-plan.js';
import { ChangePlanRepository, type ChangeRequest } from './ports/change-plan-repository.js';

/** For a day, an expired plan gets another error than an unknown one. */
const REMEMBERED_MS = 24 * 3_600_000;

export interface AskedChange {
  readonly kind: ChangeKind;
  readonly basis: string;
  readonly request: ChangeRequest;
}

/** Stores planned changes until they are applied or have expired. */
@Injectable()
export class ChangePlans {
  constructor(
    private readonly plans: ChangePlanRepository,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
  ) {}

  async keep(apiKeyId: Uuid, { kind, basis, request }: AskedChange): Promise<ChangePlan> {
    const now = this.clock.now();
    const plan = newChangePlan({ id: this.randomness.uuid(), apiKeyId, kind, basis }, now);
    await this.transactions.run(async () => {
      await this.plans.forget(new Date(now.getTime() - REMEMBERED_MS));
      await this.plans.insert(plan, request);
    });
    return plan;
  }

  /** @throws NotFound also for the plan of another key */
  async get(apiKeyId: Uuid, id: Uuid): Promise<Omit<AskedChange, 'basis'>> {
    const found = await this.plans.find(apiKeyId, id);
    if (!found) throw new NotFound();
    return { kind: found.plan.kind, request: found.request };
  }

  /**
   * Marks the plan as applied, even if the change fails later. Of several concurrent calls one succeeds.
   * @param basis the current state that the plan depends on
   * @throws NotFound; PlanUsed, PlanExpired, PlanOutdated
   */
  async claim(apiKeyId: Uuid, id: Uuid, basis: string): Promise<void> {
    await this.transactions.run(async () => {
      const plan = await this.plans.getForUpdate(apiKeyId, id);
      if (!plan) throw new NotFound();
      await this.plans.update(applied(plan, basis, this.clock.now()));
    });
  }
}
