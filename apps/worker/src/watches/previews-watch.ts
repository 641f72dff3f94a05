import { Injectable } from '@nestjs/common';
import { PreviewSweep } from '#libs/services';
import { Watch } from './watch.js';

const SWEEP_EVERY_MS = 5_000;

/** Removes previews of pull requests that are closed, too old, or left without their service. */
@Injectable()
export class PreviewsWatch extends Watch {
  constructor(private readonly sweep: PreviewSweep) {
    super();
  }

  protected start(): readonly Promise<unknown>[] {
    return [this.repeat(SWEEP_EVERY_MS, () => this.attempt('removing previews', () => this.turn()))];
  }

  private async turn(): Promise<void> {
    for (const { serviceId, reason } of await this.sweep.run())
      this.logger.log(`preview ${serviceId} is removed: ${reason}`);
  }
}
