import type { VolumeInspectInfo } from 'dockerode';
import { VolumeConflict } from '../../../application/ports/engine/container-runtime-errors.js';
import type { Operation } from '../../../application/ports/engine/container-runtime.js';
import type { OwnedVolume } from '../../../application/ports/engine/container-state.js';
import type { VolumePlan } from '../../../domain/service-plan.js';
import type { OwnLabels } from '../container-labels.js';
import { isRefusal, unexpected } from '../docker-errors.js';
import type { EngineConnection } from './engine-connection.js';

/** The named volumes of services: always of the driver `local`, never with options, which could mount the host. */
export class EngineVolumes {
  constructor(
    private readonly connection: EngineConnection,
    private readonly labels: OwnLabels,
  ) {}

  async list(serviceId: string | null, signal?: AbortSignal): Promise<OwnedVolume[]> {
    const { Volumes } = await this.connection.ask(signal, (docker) =>
      docker.listVolumes({ filters: JSON.stringify({ label: this.labels.filter(serviceId) }) }),
    );
    return (Volumes ?? []).flatMap(({ Name: name, Labels }) => {
      const owner = this.labels.serviceOf(Labels);
      return owner === null ? [] : [{ name, serviceId: owner }];
    });
  }

  /** The engine accepts an existing volume of that name, whoever owns it, so the owner is checked afterwards. */
  async ensure(serviceId: string, plan: VolumePlan, operation: Operation): Promise<void> {
    const labels = { ...Object.fromEntries(plan.labels), ...this.labels.forService(serviceId) };
    try {
      await this.connection.change(operation, (docker) =>
        docker.createVolume({ Name: plan.name, Driver: 'local', Labels: labels }),
      );
    } catch (error) {
      if (isRefusal(error, 409)) throw nameTaken(plan.name);
      throw unexpected(error);
    }
    const standing = await this.#find(plan.name, operation.signal);
    if (!standing) throw new VolumeConflict(`The volume ${plan.name} was removed while it was being created.`);
    const plain = standing.Driver === 'local' && Object.keys(standing.Options ?? {}).length === 0;
    if (this.labels.serviceOf(standing.Labels) !== serviceId || !plain) throw nameTaken(plan.name);
  }

  async remove(name: string, operation: Operation): Promise<void> {
    const found = await this.#find(name, operation.signal);
    if (!found) return;
    if (this.labels.serviceOf(found.Labels) === null) throw nameTaken(name);
    try {
      await this.connection.change(operation, (docker) => docker.getVolume(name).remove());
    } catch (error) {
      if (isRefusal(error, 404)) return;
      if (isRefusal(error, 409)) {
        throw new VolumeConflict(`The volume ${name} is used by a container.`, { cause: error });
      }
      throw unexpected(error);
    }
  }

  async #find(name: string, signal?: AbortSignal): Promise<VolumeInspectInfo | null> {
    try {
      return await this.connection.look(signal, (docker) => docker.getVolume(name).inspect());
    } catch (error) {
      if (isRefusal(error, 404)) return null;
      throw unexpected(error);
    }
  }
}

function nameTaken(name: string): VolumeConflict {
  return new VolumeConflict(`The volume name ${name} is taken by a volume that is not this service's.`);
}
