import type { Uuid } from '#kernel/crypto/uuid';

/** A network that services of one organisation may share; others cannot reach it. */
export interface OrganisationNetwork {
  /** On the engine. */
  readonly name: string;
  /** The organisation, or the panel itself for services that belong to none. */
  readonly owner: string;
}

/** @param panel the owner of what belongs to no organisation; several panels may share one engine */
export function organisationNetwork(customerId: Uuid | null, panel: string): OrganisationNetwork {
  const owner = customerId ?? panel;
  return { name: `organisation_${owner}`, owner };
}
