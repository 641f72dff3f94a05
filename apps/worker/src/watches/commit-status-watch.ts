import { Injectable } from '@nestjs/common';
import { CommitStatusReports } from '#libs/services';
import { Watch } from './watch.js';

const LOOK_EVERY_MS = 1_000;

/** Reports the status of deployments to the Git hosts of their commits. */
@Injectable()
export class CommitStatusWatch extends Watch {
  constructor(private readonly reports: CommitStatusReports) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    const turn = () => this.attempt('reporting commit statuses', () => this.reports.run(this.signal));
    return [this.repeat(LOOK_EVERY_MS, turn)];
  }
}
