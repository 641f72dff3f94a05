/** Whether the engine may be sent to a registry: whoever names one chooses an address that the engine's host calls. */
export abstract class RegistryReach {
  /**
   * @param registry host with an optional port, as in an image reference
   * @returns false when the name leads, now, to any address that is not a public one, or to none
   */
  abstract isPublic(registry: string): Promise<boolean>;
}
