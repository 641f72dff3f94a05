/** Checks registries before the engine contacts them, because users can name any host, even a private one. */
export abstract class RegistryReach {
  /**
   * @param registry host with an optional port, as in an image reference
   * @returns false if the name currently resolves to no address or to any address that is not public
   */
  abstract isPublic(registry: string): Promise<boolean>;
}
