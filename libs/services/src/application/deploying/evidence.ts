import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { DomainError } from '#kernel/errors';
import type { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { Deployment } from '../../domain/deploying/deployment.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { SensitiveValues } from '../logs/sensitive-values.js';
import { ContainerLogs } from '../ports/engine/container-logs.js';
import { ContainerRuntime } from '../ports/engine/container-runtime.js';
import type { ContainerDetails } from '../ports/engine/container-state.js';
import { DeploymentLog, type NewLogLine } from '../ports/deployment-log.js';
import { ServiceRecords } from '../service-records.js';
import type { RunningOperation } from './running-operation.js';

const LAST_LINES = 100;
/** A timeout, so that an engine that does not respond cannot delay the rollback. */
const LIMIT_MS = 10_000;
const REDACTED = '[redacted]';

/** Saves the output of failed containers before they are removed, with secrets redacted. */
@Injectable()
export class Evidence {
  constructor(
    private readonly runtime: ContainerRuntime,
    private readonly logs: ContainerLogs,
    private readonly values: SensitiveValues,
    private readonly log: DeploymentLog,
    private readonly records: ServiceRecords,
  ) {}

  /** Saves the last lines and the last probe of every failing container. */
  async keep(run: RunningOperation): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(run.undo.signal ? [run.undo.signal] : [])]);
    try {
      const hidden = await this.hidden(run.deployment);
      for (const container of await this.failed(run, signal)) await this.record(run, container, hidden, signal);
    } catch (error) {
      run.undo.signal?.throwIfAborted();
      const text = error instanceof DomainError ? error.message : 'The engine did not answer in time.';
      run.log(`The output of the containers could not be saved: ${text}`);
    }
  }

  /**
   * Saves the last output of replaced containers, which are about to be removed, in the log of the deployment that
   * created them.
   */
  async keepReplaced(run: RunningOperation, replacedId: Uuid | null): Promise<void> {
    const replaced = replacedId && (await this.records.deployments.get(OrganisationScope.everything, replacedId));
    if (!replaced || replaced.id === run.deployment.id) return;
    const signal = AbortSignal.timeout(LIMIT_MS);
    try {
      const hidden = await this.hidden(replaced);
      const { containers } = await this.runtime.listOwned(replaced.serviceId, signal);
      const kept: NewLogLine[] = [];
      for (const { id, owner } of containers.filter(({ owner }) => owner.deploymentId === replaced.id)) {
        for (const { text, atMicros } of await this.logs.recent(id, { tail: LAST_LINES, afterMicros: null }, signal))
          kept.push({
            at: new Date(atMicros / 1000),
            step: 'retire',
            source: 'container',
            container: owner.role,
            text: redacted(text, hidden),
          });
      }
      await this.records.transactions.run(() => this.log.append(replaced.id, kept));
    } catch (error) {
      run.undo.signal?.throwIfAborted();
      if (!(error instanceof DomainError) && !signal.aborted) throw error;
      run.log('The output of the replaced containers could not be saved.');
    }
  }

  /** The failure with secrets redacted from its quote, or without the quote if the secrets cannot be read. */
  async cleaned(failure: DeployFailure, deployment: Deployment): Promise<DeployFailure> {
    const hidden = await this.hidden(deployment).catch(() => null);
    return failure.requoted(hidden === null || failure.quote === null ? null : redacted(failure.quote, hidden));
  }

  private hidden({ serviceId, state }: Deployment): Promise<ReadonlySet<string>> {
    return this.values.of(serviceId, state.specVersion);
  }

  /** The failed containers of the deployment, or of the running group if the deployment created none. */
  private async failed(run: RunningOperation, signal: AbortSignal): Promise<readonly ContainerDetails[]> {
    const { id, serviceId } = run.deployment;
    const { containers } = await this.runtime.listOwned(serviceId, signal);
    const own = containers.filter(({ owner }) => owner.deploymentId === id);
    const all = await Promise.all(
      (own.length > 0 ? own : containers).map((one) => this.runtime.inspect(one.id, signal)),
    );
    return all.filter((details) => details !== null && hasFailed(details)).map((details) => details!);
  }

  private async record(
    run: RunningOperation,
    details: ContainerDetails,
    hidden: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const { role: container } = details.owner;
    run.log(`${container}: ${stateOf(details)}.`, { container });
    const lines = await this.logs.recent(details.id, { tail: LAST_LINES, afterMicros: null }, signal);
    for (const { text, atMicros } of lines)
      run.log(redacted(text, hidden), { source: 'container', container, at: new Date(atMicros / 1000) });
    const { lastProbe } = details;
    if (lastProbe)
      for (const text of [`exit code ${lastProbe.exitCode}`, ...lastProbe.output.trimEnd().split('\n')])
        run.log(redacted(text, hidden), { source: 'probe', container, at: lastProbe.at });
  }
}

function hasFailed({ lifecycle, health, exitCode, restartCount, oomKilled }: ContainerDetails): boolean {
  if (health === 'unhealthy' || health === 'starting' || oomKilled || restartCount > 0) return true;
  if (lifecycle === 'exited') return exitCode !== 0;
  return lifecycle !== 'running';
}

function stateOf({ lifecycle, health, exitCode, restartCount, oomKilled, error }: ContainerDetails): string {
  return [
    lifecycle,
    ...(health === 'none' ? [] : [health]),
    ...(exitCode === null ? [] : [`exit code ${exitCode}`]),
    ...(oomKilled ? ['killed because memory ran out'] : []),
    ...(restartCount > 0 ? [`restarted ${restartCount} times`] : []),
    ...(error ? [error] : []),
  ].join(', ');
}

function redacted(text: string, hidden: ReadonlySet<string>): string {
  return [...hidden].reduce((clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, REDACTED)), text);
}
