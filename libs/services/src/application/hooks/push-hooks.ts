import { Injectable } from '@nestjs/common';
import { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { Conflict, NotFound, Unauthenticated } from '#kernel/errors';
import { headVersion } from '../../domain/deploying/deployment.js';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import type { GitSource } from '../../domain/git/git-source.js';
import { readPullRequest } from '../../domain/git/pull-request-event.js';
import { readPush, type BranchPush } from '../../domain/git/push-event.js';
import { touches } from '../../domain/git/watch-paths.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import { GitDeploys } from '../building/git-deploys.js';
import { PullRequestPreviews } from '../previews/pull-request-previews.js';
import { GitHooks, type HookDelivery } from '../ports/git/git-hooks.js';
import { SpecStore } from '../ports/spec-store.js';
import { ServiceRecords, THE_PANEL } from '../service-records.js';
import type { DeliveryAnswer, Sender } from './delivery.js';
import { hostOf, isGenuine, type HookMessage } from './hook-signature.js';

const HOOK_ID_BYTES = 18;
const SECRET_BYTES = 32;
const SHOWN_DELIVERIES = 50;

export interface MadeHook {
  readonly hookId: string;
  /** Shown only in the response that creates it. */
  readonly secret: SecretText;
}

/** Deploys pushed commits. A delivery is answered once its deployment is stored, without waiting for the build. */
@Injectable()
export class PushHooks {
  constructor(
    private readonly hooks: GitHooks,
    private readonly deploys: GitDeploys,
    private readonly specs: SpecStore,
    private readonly previews: PullRequestPreviews,
    private readonly records: ServiceRecords,
  ) {}

  /** Creates the hook, or gives it a new secret. @throws NotFound; Conflict for a service without a repository */
  async make(scope: OrganisationScope, serviceId: Uuid): Promise<MadeHook> {
    const { randomness, transactions, clock } = this.records;
    const secret = new SecretText(randomness.bytes(SECRET_BYTES).toString('base64url'));
    const hookId = randomness.bytes(HOOK_ID_BYTES).toString('base64url');
    return transactions.run(async () => {
      await this.assertGit(scope, serviceId);
      return { hookId: await this.hooks.put({ serviceId, hookId, secret }, clock.now()), secret };
    });
  }

  /** @throws NotFound, also if there is no hook; Conflict for a service without a repository */
  async show(scope: OrganisationScope, serviceId: Uuid) {
    await this.assertGit(scope, serviceId);
    const hook = await this.hooks.ofService(serviceId);
    if (!hook) throw new NotFound();
    return hook;
  }

  async remove(scope: OrganisationScope, serviceId: Uuid): Promise<void> {
    await this.assertGit(scope, serviceId);
    if (!(await this.records.transactions.run(() => this.hooks.remove(serviceId)))) throw new NotFound();
  }

  async deliveries(scope: OrganisationScope, serviceId: Uuid): Promise<readonly HookDelivery[]> {
    await this.assertGit(scope, serviceId);
    return this.hooks.deliveries(serviceId, SHOWN_DELIVERIES);
  }

  /**
   * Handles an earlier delivery again. Unlike a repeated delivery of the host, this deploys a commit a second time.
   * @throws NotFound; Conflict for a delivery without a commit to deploy
   */
  async redeliver(
    scope: OrganisationScope,
    serviceId: Uuid,
    deliveryId: Uuid,
    actor: DeploymentActor,
  ): Promise<DeliveryAnswer> {
    await this.assertGit(scope, serviceId);
    const delivery = await this.hooks.delivery(serviceId, deliveryId);
    if (!delivery) throw new NotFound();
    const { provider, event, ref, commitSha, pullRequest } = delivery;
    if (ref === null || commitSha === null)
      throw new Conflict('invalid_state', 'There is no commit in this delivery that could be deployed.');
    const sender = { provider, event, redeliveryOf: delivery.id, actor };
    if (pullRequest !== null) {
      const request = { number: pullRequest, kind: 'open', branch: ref, commit: commitSha, isFork: false } as const;
      return this.previews.receive(serviceId, sender, request);
    }
    // The changed paths are not stored. Whoever redelivers by hand wants a deployment, so they do not matter.
    const push = { branch: ref, commit: commitSha, paths: null };
    return this.push(serviceId, sender, push);
  }

  /**
   * Handles a message of a Git host. @returns null for a message without a push, such as a ping
   * @throws NotFound for an unknown hook; Unauthenticated for a wrong signature
   */
  async receive(hookId: string, message: HookMessage, payload: unknown): Promise<DeliveryAnswer | null> {
    const hook = await this.hooks.find(hookId);
    if (!hook) throw new NotFound();
    const host = hostOf(message);
    if (!host || !isGenuine(host.provider, message, hook.secret))
      throw new Unauthenticated('unauthorized', 'The signature of the delivery is wrong or missing.');
    const sender = { ...host, redeliveryOf: null, actor: THE_PANEL };
    const request = readPullRequest(host.provider, host.event, payload);
    if (request) return this.previews.receive(hook.serviceId, sender, request);
    let answer: DeliveryAnswer | null = null;
    for (const push of readPush(host.provider, payload)) {
      const told = await this.push(hook.serviceId, sender, push);
      if (!answer || told.outcome === 'deployed') answer = told;
    }
    return answer;
  }

  private async push(
    serviceId: Uuid,
    { provider, event, redeliveryOf, actor }: Sender,
    push: BranchPush,
  ): Promise<DeliveryAnswer> {
    const { clock, randomness, transactions } = this.records;
    const service = await this.records.services.get(OrganisationScope.everything, serviceId);
    if (!service) throw new NotFound();
    // Settings that are accepted but not deployed yet apply already.
    const head = headVersion(service.state, await this.records.deployments.open(serviceId));
    const { git } = await this.specs.open(serviceId, head);
    const delivery = {
      id: randomness.uuid(),
      serviceId,
      provider,
      event: event.slice(0, 100),
      ref: push.branch.slice(0, 255),
      commitSha: push.commit,
      pullRequest: null,
      redeliveryOf,
      receivedAt: clock.now(),
    };
    const reason = git === null ? 'The service does not come from a repository.' : whyNot(git, push);
    if (reason !== null) return this.note({ ...delivery, outcome: 'ignored', message: reason, deploymentId: null });
    try {
      const accepted = await transactions.run(async () => {
        const request = { ref: push.commit, trigger: 'push', actor } as const;
        const accepted = await this.deploys.accept(OrganisationScope.everything, serviceId, request);
        const isNew = await this.hooks.record({
          ...delivery,
          outcome: 'deployed',
          message: null,
          deploymentId: accepted.deploymentId,
        });
        if (!isNew) throw new Repeated();
        return accepted;
      });
      this.deploys.sent(accepted);
      return { outcome: 'deployed', deploymentId: accepted.deploymentId };
    } catch (error) {
      const message = error instanceof Repeated ? 'This commit was deployed by an earlier delivery.' : null;
      if (message !== null) return this.note({ ...delivery, outcome: 'duplicate', message, deploymentId: null });
      if (!(error instanceof Conflict)) throw error;
      return this.note({ ...delivery, outcome: 'refused', message: error.message, deploymentId: null });
    }
  }

  private async note(delivery: HookDelivery): Promise<DeliveryAnswer> {
    await this.records.transactions.run(() => this.hooks.record(delivery));
    return { outcome: delivery.outcome, deploymentId: null };
  }

  private async assertGit(scope: OrganisationScope, serviceId: Uuid): Promise<void> {
    const service = await this.records.services.get(scope, serviceId);
    if (!service) throw new NotFound();
    if (service.state.deploymentType !== 'git')
      throw new Conflict('invalid_state', 'The service does not come from a repository.');
  }
}

/** Rolls the transaction back if an earlier delivery has deployed the commit. */
class Repeated extends Error {}

function whyNot({ branch, watchPaths, baseDirectory }: GitSource, push: BranchPush): string | null {
  if (push.commit === null) return 'The branch was deleted.';
  if (push.branch !== branch) return `The service follows the branch ${branch}.`;
  const watched = watchPaths.length > 0 || baseDirectory === '' ? watchPaths : [`${baseDirectory}/**`];
  if (push.paths !== null && !touches(watched, push.paths)) return 'The push changes none of the watched paths.';
  return null;
}
