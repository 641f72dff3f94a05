import { Injectable } from '@nestjs/common';
import { DomainError } from '#kernel/errors';
import { providerOf, statusCall } from '../../domain/git/commit-status.js';
import { parseGitAddress } from '../../domain/git/git-address.js';
import { CommitStatusRecords, type DueStatus } from '../ports/git/commit-status-records.js';
import { GitHostApi, HostRefused } from '../ports/git/git-host-api.js';
import { GitHostSettings } from '../ports/git/git-host-settings.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords } from '../service-records.js';
import { CommitStatusSettings } from './commit-status-settings.js';

const AT_ONCE = 20;
const MAX_ATTEMPTS = 5;
const LEASE_MS = 60_000;
/** Doubled after every attempt. */
const FIRST_PAUSE_MS = 5_000;

/** Reports the deployments of commits to their Git hosts. A failure here does not affect the deployment. */
@Injectable()
export class CommitStatusReports {
  constructor(
    private readonly statuses: CommitStatusRecords,
    private readonly hosts: GitHostApi,
    private readonly settings: GitHostSettings,
    private readonly specs: SpecStore,
    private readonly records: ServiceRecords,
    private readonly panel: CommitStatusSettings,
  ) {}

  /** Sends all due reports, one after the other. */
  async run(signal?: AbortSignal): Promise<void> {
    for (const status of await this.statuses.due(this.now, MAX_ATTEMPTS, AT_ONCE)) {
      if (signal?.aborted) return;
      await this.tell(status, signal);
    }
  }

  private async tell(status: DueStatus, signal?: AbortSignal): Promise<void> {
    const { transactions } = this.records;
    const until = new Date(this.now.getTime() + LEASE_MS);
    const attempt = await transactions.run(() => this.statuses.claim(status, this.now, until));
    if (attempt === null) return;
    try {
      await this.post(status, signal);
      await transactions.run(() => this.statuses.told(status, this.now));
    } catch (error) {
      const isKnown = error instanceof HostRefused || error instanceof DomainError;
      if (!isKnown) throw error;
      const isFinal = attempt >= MAX_ATTEMPTS || !(error instanceof HostRefused) || error.isFinal;
      const again = isFinal ? null : new Date(this.now.getTime() + FIRST_PAUSE_MS * 2 ** (attempt - 1));
      await transactions.run(async () => {
        await this.statuses.failed(status, error.message, this.now, again);
        if (isFinal) await this.warn(status, error.message);
      });
    }
  }

  private async post(status: DueStatus, signal?: AbortSignal): Promise<void> {
    const { serviceId, specVersion, deploymentId, settingsOf } = status;
    const { provider: chosen, token } = await this.settings.host(settingsOf);
    const { git } = await this.specs.open(serviceId, specVersion);
    const parsed = git && parseGitAddress(git.url);
    if (!token || !parsed || 'defect' in parsed)
      throw new HostRefused('There is no token, or the service no longer comes from a repository.', true);
    const { address } = parsed;
    const provider = chosen ?? providerOf(address);
    if (!provider) throw new HostRefused(`The kind of the Git host ${address.host} is unknown.`, true);
    const targetUrl = `${this.panel.panelUrl}/console/services/${serviceId}/deployments/${deploymentId}`;
    const call = statusCall(provider, address, { ...status, targetUrl });
    if (!call) throw new HostRefused('The address of the repository does not have the form owner/name.', true);
    await this.hosts.post(call, token, signal);
  }

  /** Runs in the current transaction. Users look for warnings in the log of the deployment. */
  private async warn({ deploymentId }: DueStatus, problem: string): Promise<void> {
    const text = `Warning: commit_status_failed: ${problem}`;
    const line = { at: this.now, step: 'finish', source: 'panel', container: null, text } as const;
    await this.records.log.append(deploymentId, [line]);
  }

  private get now(): Date {
    return this.records.clock.now();
  }
}
