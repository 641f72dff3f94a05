import { Conflict, Invalid } from '#kernel/errors';

/** Whoever has it: also when that is another organisation, of which nothing else is told. */
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
