import type { Uuid } from '#kernel/crypto/uuid';

/** A name by which a container is found on a network that several services share. */
export interface SharedName {
  /** On the engine. */
  readonly network: string;
  readonly name: string;
}

/** Which service answers to which name where services share a network. */
export abstract class NetworkNames {
  /**
   * These become the names of the service, and no others. A name that appears twice in one service is its own affair.
   * @throws NetworkNameTaken
   */
  abstract claim(serviceId: Uuid, names: readonly SharedName[]): Promise<void>;
}
