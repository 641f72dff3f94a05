export const LICENSE_STATES = ['active', 'trial', 'suspended', 'terminated', 'expired'] as const;

export type LicenseState = (typeof LICENSE_STATES)[number];

/** States to which a suspended license can return. */
export type RunningState = Extract<LicenseState, 'active' | 'trial'>;

/** Calls on a license. `keep-edition` is a change to the edition that the license already has. */
export type LicenseCall = 'suspend' | 'resume' | 'terminate' | 'change-edition' | 'keep-edition' | 'transfer';

export type TransitionRefusal =
  'license-not-active' | 'license-not-suspended' | 'license-expired' | 'license-terminated';

/**
 * What a call does in a state. `to`: the next state. `stays: changed`: the state stays, but the edition or the owner
 * changes. `stays: idle`: nothing changes, which is no error. `refused`: the call is a conflict.
 */
export type Transition =
  | { readonly to: LicenseState | 'before-suspension' }
  | { readonly stays: 'changed' | 'idle' }
  | { readonly refused: TransitionRefusal };

const to = (state: LicenseState | 'before-suspension'): Transition => ({ to: state });
const refused = (reason: TransitionRefusal): Transition => ({ refused: reason });
const changed: Transition = { stays: 'changed' };
const idle: Transition = { stays: 'idle' };
const expired = refused('license-expired');
const ended = refused('license-terminated');
const notSuspended = refused('license-not-suspended');
const notActive = refused('license-not-active');

/** The state machine of a license, defined only here. */
const TRANSITIONS: Readonly<Record<LicenseCall, Readonly<Record<LicenseState, Transition>>>> = {
  suspend: { active: to('suspended'), trial: to('suspended'), suspended: idle, expired, terminated: ended },
  resume: {
    active: notSuspended,
    trial: notSuspended,
    suspended: to('before-suspension'),
    expired,
    terminated: ended,
  },
  terminate: {
    active: to('terminated'),
    trial: to('terminated'),
    suspended: to('terminated'),
    expired: to('terminated'),
    terminated: idle,
  },
  'change-edition': {
    active: changed,
    trial: notActive,
    suspended: notActive,
    expired: notActive,
    terminated: notActive,
  },
  'keep-edition': { active: idle, trial: notActive, suspended: notActive, expired: notActive, terminated: notActive },
  transfer: { active: changed, trial: changed, suspended: changed, expired: changed, terminated: ended },
};

export function transitionOf(call: LicenseCall, state: LicenseState): Transition {
  return TRANSITIONS[call][state];
}
