import { Conflict } from '#kernel/errors';

export class PlanUsed extends Conflict {
  constructor() {
    super('plan_used', 'The plan was applied already. Plan the change again.');
  }
}

export class PlanExpired extends Conflict {
  constructor() {
    super('plan_expired', 'The plan is older than 10 minutes. Plan the change again.');
  }
}

/** The basis of the plan has changed. */
export class PlanOutdated extends Conflict {
  constructor() {
    super('plan_outdated', 'The service or template has changed since the plan was made. Plan the change again.');
  }
}
