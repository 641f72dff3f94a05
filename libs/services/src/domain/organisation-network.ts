import type { Uuid } from '#kernel/crypto/uuid';

/** A network that services of one organisation may share; others cannot reach it. */
export interface OrganisationNetwork {
  /** The network's name on the engine. */
  readonly name: string;
  /** Id of the organisation, or the name of the panel for services without an organisation. */
  readonly owner: string;
}

/** @param panel name of this panel, which owns the services without an organisation; panels may share an engine */
export function organisationNetwork(customerId: Uuid | null, panel: string): OrganisationNetwork {
  const owner = customerId ?? panel;
  return { name: `organisation_${owner}`, owner };
}
