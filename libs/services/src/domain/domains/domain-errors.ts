import { Conflict, Invalid } from '#kernel/errors';

/** Another service has the host. The message is the same for other organisations, so that it reveals nothing more. */
export class DomainTaken extends Conflict {
  constructor() {
    super('domain_taken', 'This host name belongs to another service.');
  }
}

export class TooManyDomains extends Conflict {
  constructor(max: number) {
    super('conflict', `A service has at most ${max} domains.`);
  }
}

export class ServiceIsRemoved extends Conflict {
  constructor() {
    super('invalid_state', 'The service is being removed.');
  }
}

export class HostOfThePanel extends Invalid {
  constructor() {
    const message = 'host belongs to the panel itself';
    super('validation', message, [{ path: '/host', code: 'not_allowed', message }]);
  }
}
