import { WorkerHost } from '@nestjs/bullmq';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue, type Worker } from 'bullmq';

const QUIET_MS = 10_000;

/**
 * Listens to the errors of every queue and worker of the process; without a listener a lost connection would end the
 * process. They reconnect by themselves. Meanwhile errors arrive many times a second, so only one line in ten seconds
 * is logged.
 */
@Injectable()
export class QueueErrors implements OnApplicationBootstrap {
  private readonly logger = new Logger('Queue');
  private saidAt = -Infinity;

  constructor(private readonly discovery: DiscoveryService) {}

  onApplicationBootstrap(): void {
    for (const wrapper of this.discovery.getProviders()) {
      const instance: unknown = wrapper.instance;
      if (instance instanceof Queue) instance.on('error', (error) => this.say(error));
      if (instance instanceof WorkerHost) (instance.worker as Worker).on('error', (error) => this.say(error));
    }
  }

  private say(error: Error): void {
    const now = performance.now();
    if (now - this.saidAt < QUIET_MS) return;
    this.saidAt = now;
    this.logger.error(`the queue is not responding: ${error.message}`);
  }
}
