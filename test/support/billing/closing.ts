import type { RunningPartnerApi } from '../partner-api.js';
import type { FixedClock } from '../fixed-clock.js';
import { staffCli, type CliAnswer } from '../processes/staff-cli.js';

/** Runs the staff CLI with the services, the database and the clock of a running API. */
export class Staff {
  constructor(
    private readonly api: RunningPartnerApi,
    private readonly clock: FixedClock,
  ) {}

  run(...args: string[]): Promise<CliAnswer> {
    return staffCli({ DATABASE_URL: this.api.database.url }, args, '', this.clock, this.api.app);
  }

  statements(command: string, ...args: string[]): Promise<CliAnswer> {
    return this.run('statements', command, ...args, '--json');
  }

  review(period: string, ...more: string[]): Promise<CliAnswer> {
    return this.statements('review', '--period', period, '--by', 'Ada', ...more);
  }

  finalize(period: string, ...more: string[]): Promise<CliAnswer> {
    return this.statements('finalize', '--period', period, '--by', 'Grace', '--yes', ...more);
  }

  correct(id: string, ...more: string[]): Promise<CliAnswer> {
    return this.statements('correct', id, '--by', 'Grace', '--reason', 'late transfer', '--yes', ...more);
  }
}
