import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';

/** Interface of the bridge on the engine's host, to which its firewall rules refer. */
const INTERFACE = 'panel-build0';

const NAME_OPTION = 'com.docker.network.bridge.name';

interface Found {
  readonly Id: string;
  readonly Options?: Readonly<Record<string, string>> | null;
}

/** The network for build steps. It is separate from every service's network, and steps cannot reach each other. */
export class BuildNetwork {
  constructor(
    private readonly connection: EngineConnection,
    readonly name: string,
  ) {}

  /**
   * Called before each build, because `docker network prune` removes the network while it is empty.
   * @returns the name of its interface on the engine's host
   */
  async ensure(operation: Operation): Promise<string> {
    const found = await this.find(operation);
    if (found !== null) return found;
    try {
      await this.connection.change(operation, (docker) =>
        docker.createNetwork({
          Name: this.name,
          Driver: 'bridge',
          CheckDuplicate: true,
          Options: {
            'com.docker.network.bridge.enable_icc': 'false',
            ...(this.name === 'panel-build' ? { [NAME_OPTION]: INTERFACE } : {}),
          },
        }),
      );
    } catch (error) {
      if (!isRefusal(error, 409)) throw unexpected(error);
    }
    return (await this.find(operation)) ?? INTERFACE;
  }

  private async find({ signal }: Operation): Promise<string | null> {
    try {
      const found = (await this.connection.look(signal, (docker) => docker.getNetwork(this.name).inspect())) as Found;
      return found.Options?.[NAME_OPTION] ?? `br-${found.Id.slice(0, 12)}`;
    } catch (error) {
      if (!isRefusal(error, 404)) throw unexpected(error);
      return null;
    }
  }
}
