import type { Deployment } from '../../../api/types';

const TITLES: Readonly<Partial<Record<Deployment['trigger'], string>>> = {
  create: 'First deployment',
  git: 'First deployment',
  template: 'First deployment',
  analysis: 'First deployment',
  update: 'Change',
  unsuspend: 'Suspension lifted',
  suspend: 'Suspension',
  push: 'Push to the repository',
  reconcile: 'Repair',
  remove: 'Removal',
};

/** What set a deployment off, in words. */
export const triggerTitle = (trigger: Deployment['trigger']): string =>
  TITLES[trigger] ?? trigger.charAt(0).toUpperCase() + trigger.slice(1);
