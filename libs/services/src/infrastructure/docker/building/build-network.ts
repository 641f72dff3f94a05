import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from '../engine/engine-connection.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';

/** Interface of the bridge on the engine's host, for the rules of its firewall. */
const INTERFACE = 'panel-build0';

/** The network that steps of builds run in: apart from that of every service, and they do not reach each other. */
export class BuildNetwork {
  #ready: Promise<void> | null = null;

  constructor(
    private readonly connection: EngineConnection,
    readonly name: string,
  ) {}

  async ensure(operation: Operation): Promise<string> {
    this.#ready ??= this.create(operation).catch((error: unknown) => {
      this.#ready = null;
      throw error;
    });
    await this.#ready;
    return this.name;
  }

  private async create(operation: Operation): Promise<void> {
    try {
      const found = await this.connection.look(operation.signal, (docker) => docker.getNetwork(this.name).inspect());
      if (found) return;
    } catch (error) {
      if (!isRefusal(error, 404)) throw unexpected(error);
    }
    try {
      await this.connection.change(operation, (docker) =>
        docker.createNetwork({
          Name: this.name,
          Driver: 'bridge',
          CheckDuplicate: true,
          Options: {
            'com.docker.network.bridge.enable_icc': 'false',
            ...(this.name === 'panel-build' ? { 'com.docker.network.bridge.name': INTERFACE } : {}),
          },
        }),
      );
    } catch (error) {
      if (!isRefusal(error, 409)) throw unexpected(error);
    }
  }
}
