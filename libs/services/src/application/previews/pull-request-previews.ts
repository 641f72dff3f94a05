import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { DomainError, NotFound } from '#kernel/errors';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import { isBranchName } from '../../domain/git/git-ref.js';
import type { PreviewSettings } from '../../domain/git/preview-source.js';
import { refOf, type PullRequestEvent } from '../../domain/git/pull-request-event.js';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { GitDeploys } from '../building/git-deploys.js';
import { ServiceControl } from '../controlling/service-control.js';
import type { DeliveryAnswer, Sender } from '../hooks/delivery.js';
import { GitHooks, type HookDelivery } from '../ports/git/git-hooks.js';
import { GitHostSettings } from '../ports/git/git-host-settings.js';
import { PreviewRecords, type OpenPreview } from '../ports/git/preview-records.js';
import { ServiceRecords } from '../service-records.js';
import { expiryOf, NewPreviews } from './new-previews.js';

/** A delivery whose outcome is not known yet. */
type Pending = Omit<HookDelivery, 'outcome' | 'message' | 'deploymentId'>;

/** Creates a preview for a pull request, deploys it again on every push, and removes it when the request is closed. */
@Injectable()
export class PullRequestPreviews {
  constructor(
    private readonly hooks: GitHooks,
    private readonly previews: PreviewRecords,
    private readonly settings: GitHostSettings,
    private readonly fresh: NewPreviews,
    private readonly deploys: GitDeploys,
    private readonly control: ServiceControl,
    private readonly records: ServiceRecords,
  ) {}

  /** @param parentId the service whose hook received the event @throws NotFound if it no longer exists */
  async receive(parentId: Uuid, sender: Sender, request: PullRequestEvent): Promise<DeliveryAnswer> {
    const parent = (await this.records.services.get(OrganisationScope.everything, parentId))?.state;
    if (!parent) throw new NotFound();
    const settings = await this.settings.previews(parentId);
    const pending = this.pending(parentId, sender, request);
    if (request.kind === 'close') return this.close(pending, request, sender.actor);
    const ignored = settings.enabled ? null : 'Previews of pull requests are turned off.';
    if (ignored !== null) return this.note({ ...pending, outcome: 'ignored', message: ignored, deploymentId: null });
    const refused = whyRefused(parent, request);
    // The commit of a fork is not stored, so that nobody can deploy it by redelivering.
    const unusable = request.isFork ? { ref: null, commitSha: null } : {};
    if (refused !== null)
      return this.note({ ...pending, ...unusable, outcome: 'refused', message: refused, deploymentId: null });
    return this.deploy(parent, settings, pending, request, sender.actor);
  }

  private async deploy(
    parent: ServiceState,
    settings: PreviewSettings,
    pending: Pending,
    request: PullRequestEvent,
    actor: DeploymentActor,
  ): Promise<DeliveryAnswer> {
    const open = await this.previews.open(parent.id, request.number);
    const isAnew = !open && request.kind === 'reopen';
    const once = { ...pending, isRepeatable: isAnew || pending.redeliveryOf !== null };
    try {
      const deploymentId = open
        ? await this.again(open, settings, once, request, actor)
        : await this.first(parent, settings, once, request, actor);
      return { outcome: 'deployed', deploymentId };
    } catch (error) {
      if (error instanceof Repeated) {
        const message = 'This commit was deployed by an earlier delivery.';
        return this.note({ ...pending, outcome: 'duplicate', message, deploymentId: null });
      }
      // Another delivery has created or closed the preview in the meantime, so start again.
      if (error instanceof PreviewChanged) return this.deploy(parent, settings, pending, request, actor);
      if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      return this.note({ ...pending, outcome: 'refused', message: error.message, deploymentId: null });
    }
  }

  private first(
    parent: ServiceState,
    settings: PreviewSettings,
    { isRepeatable, ...pending }: Pending & { readonly isRepeatable: boolean },
    request: PullRequestEvent,
    actor: DeploymentActor,
  ): Promise<Uuid> {
    return this.fresh.make(parent, settings, request, actor, async (preview, deploymentId) => {
      if (!(await this.previews.add(preview))) throw new PreviewChanged();
      if (!isRepeatable) await this.assertNew(pending, request);
      await this.hooks.record({ ...pending, outcome: 'deployed', message: null, deploymentId });
    });
  }

  private async again(
    { serviceId }: OpenPreview,
    settings: PreviewSettings,
    { isRepeatable, ...pending }: Pending & { readonly isRepeatable: boolean },
    request: PullRequestEvent,
    actor: DeploymentActor,
  ): Promise<Uuid | null> {
    const accepted = await this.records.transactions.run(async () => {
      const wanted = { ref: refOf(request), trigger: 'push', actor } as const;
      if (!(await this.records.services.getForUpdate(OrganisationScope.everything, serviceId)))
        throw new PreviewChanged();
      if (!isRepeatable) await this.assertNew(pending, request);
      const accepted = await this.deploys.accept(OrganisationScope.everything, serviceId, wanted);
      if (!(await this.previews.extend(serviceId, expiryOf(settings, this.records.clock.now()))))
        throw new PreviewChanged();
      const { deploymentId } = accepted;
      await this.hooks.record({ ...pending, outcome: 'deployed', message: null, deploymentId });
      return accepted;
    });
    this.deploys.sent(accepted);
    return accepted.deploymentId;
  }

  private async close(pending: Pending, { number }: PullRequestEvent, actor: DeploymentActor): Promise<DeliveryAnswer> {
    const open = await this.previews.open(pending.serviceId, number);
    if (!open) {
      const message = 'There is no preview of this pull request.';
      return this.note({ ...pending, outcome: 'ignored', message, deploymentId: null });
    }
    await this.records.transactions.run(async () => {
      await this.previews.close(open.serviceId, this.records.clock.now());
      await this.hooks.record({ ...pending, outcome: 'removed', message: null, deploymentId: null });
    });
    const reason = 'The pull request was closed.';
    const removal = this.control.act(OrganisationScope.everything, open.serviceId, 'remove', actor, reason);
    // If the removal fails now, the worker does it later: it looks for closed previews.
    await removal.catch(() => undefined);
    return { outcome: 'removed', deploymentId: null };
  }

  /** Call it in the transaction that holds the lock of the preview, so that concurrent deliveries are serialised. */
  private async assertNew({ serviceId }: Pending, { number, commit }: PullRequestEvent): Promise<void> {
    if (await this.hooks.hasDeployed(serviceId, number, commit)) throw new Repeated();
  }

  private async note(delivery: HookDelivery): Promise<DeliveryAnswer> {
    await this.records.transactions.run(() => this.hooks.record(delivery));
    return { outcome: delivery.outcome, deploymentId: null };
  }

  private pending(serviceId: Uuid, sender: Sender, { number, branch, commit }: PullRequestEvent): Pending {
    const { clock, randomness } = this.records;
    return {
      id: randomness.uuid(),
      serviceId,
      provider: sender.provider,
      event: sender.event.slice(0, 100),
      ref: branch.slice(0, 255),
      commitSha: commit,
      pullRequest: number,
      redeliveryOf: sender.redeliveryOf,
      receivedAt: clock.now(),
    };
  }
}

class Repeated extends Error {}

class PreviewChanged extends Error {}

function whyRefused({ status, suspended }: ServiceState, { isFork, branch }: PullRequestEvent): string | null {
  if (isFork)
    return 'The pull request comes from another repository (a fork); only branches of the same one are built.';
  if (!isBranchName(branch)) return 'The name of the branch cannot be used.';
  if (status === 'removing') return 'The service is being removed.';
  return suspended ? 'The service is suspended.' : null;
}
