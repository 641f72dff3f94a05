import type { Uuid } from '#kernel/crypto/uuid';

/** A name of a container on a network that several services share. */
export interface SharedName {
  /** The network's name on the engine. */
  readonly network: string;
  readonly name: string;
}

/** Reserves names on shared networks for services. */
export abstract class NetworkNames {
  /**
   * Replaces the names of the service with these. The same name may appear several times within one service.
   * @throws NetworkNameTaken
   */
  abstract claim(serviceId: Uuid, names: readonly SharedName[]): Promise<void>;
}
