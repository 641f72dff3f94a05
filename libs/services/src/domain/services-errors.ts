import { Conflict, Invalid } from '#kernel/errors';
import type { ActionRefusal } from './service-actions.js';

const TEXT: Readonly<Record<ActionRefusal, string>> = {
  invalid_state: 'The state of the service does not allow this.',
  service_suspended: 'The service is suspended.',
  service_locked: 'The service is locked until it is reconciled.',
  deployment_in_progress: 'Another operation of the service is waiting or running.',
};

export class ActionRefused extends Conflict {
  constructor(readonly code: ActionRefusal) {
    super(code, TEXT[code]);
  }
}

export class ServiceNameTaken extends Conflict {
  constructor() {
    super('service_name_taken', 'A service with this name already exists.');
  }
}

/** The service was changed since the caller read it. */
export class VersionUnknown extends Conflict {
  constructor(newest: number, expected: number) {
    super('conflict', `The newest version of the service is ${newest}; this change is based on version ${expected}.`);
  }
}

/** Two services on one network cannot have the same name. */
export class NetworkNameTaken extends Conflict {
  constructor(name: string) {
    super('service_name_taken', `Another service on the organisation's network is named ${name}.`);
  }
}

/** Another service of this panel publishes that port. */
export class HostPortTaken extends Conflict {
  constructor(readonly address: string) {
    super('conflict', `The host port ${address} belongs to another service.`);
  }
}

export class UnknownCustomer extends Invalid {
  constructor() {
    const message = 'customerId is not the id of an organisation';
    super('validation_failed', message, [{ path: '/customerId', code: 'validation_failed', message }]);
  }
}

/** This worker is shutting down. Another worker continues the operation, as it would after a crash. */
export class HandedOver extends Error {
  constructor() {
    super('the worker is shutting down and hands its operation over');
    this.name = 'HandedOver';
  }
}

/** Another worker has taken over the lease. The previous holder must stop and must not write anything more. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the operation is lost');
    this.name = 'LeaseLost';
  }
}
