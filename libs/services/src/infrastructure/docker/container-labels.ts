import type { ContainerOwner } from '../../application/ports/engine/container-state.js';

const SERVICE = 'panel.service';
const DEPLOYMENT = 'panel.deployment';
const ROLE = 'panel.role';
const SPEC_HASH = 'panel.spec-hash';
const INSTANCE = 'panel.instance';
const ORGANISATION = 'panel.organisation';

type EngineLabels = Readonly<Record<string, string>> | null | undefined;

/**
 * The labels by which the panel finds its own on an engine. Several panels can share one engine when each has an
 * `instance`: then it sees and changes only what carries that name. A panel without one (null) ignores everything with
 * an instance name.
 */
export class OwnLabels {
  constructor(readonly instance: string | null = null) {}

  forContainer(owner: ContainerOwner): Record<string, string> {
    return {
      ...this.forService(owner.serviceId),
      [DEPLOYMENT]: owner.deploymentId,
      [ROLE]: owner.role,
      [SPEC_HASH]: owner.specHash,
    };
  }

  /** For networks and volumes, which outlive a deployment. */
  forService(serviceId: string): Record<string, string> {
    return { [SERVICE]: serviceId, ...(this.instance === null ? {} : { [INSTANCE]: this.instance }) };
  }

  /** For a network that the services of an organisation share. */
  forOrganisation(organisation: string): Record<string, string> {
    return { [ORGANISATION]: organisation, ...(this.instance === null ? {} : { [INSTANCE]: this.instance }) };
  }

  /** The organisation in the labels; null if they are not ours. */
  organisationOf(labels: EngineLabels): string | null {
    if (!labels || (labels[INSTANCE] ?? null) !== this.instance) return null;
    return labels[ORGANISATION] || null;
  }

  /** The filter for the engine. Check the results with `serviceOf`. */
  filter(serviceId: string | null): string[] {
    const service = serviceId === null ? SERVICE : `${SERVICE}=${serviceId}`;
    return this.instance === null ? [service] : [service, `${INSTANCE}=${this.instance}`];
  }

  /** The service in the labels; null if they are not ours. */
  serviceOf(labels: EngineLabels): string | null {
    if (!labels || (labels[INSTANCE] ?? null) !== this.instance) return null;
    return labels[SERVICE] || null;
  }

  /** Null if a label is missing, or the service is not ours. */
  ownerOf(labels: EngineLabels): ContainerOwner | null {
    const serviceId = this.serviceOf(labels);
    const [deploymentId, role, specHash] = [DEPLOYMENT, ROLE, SPEC_HASH].map((name) => labels?.[name]);
    return serviceId && deploymentId && role && specHash ? { serviceId, deploymentId, role, specHash } : null;
  }
}
