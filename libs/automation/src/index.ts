export { AutomationModule } from './automation.module.js';
export { ChangePlans, type AskedChange } from './application/change-plans.js';
export type { ChangeRequest } from './application/ports/change-plan-repository.js';
export { type ChangeKind, type ChangePlan } from './domain/change-plan.js';
