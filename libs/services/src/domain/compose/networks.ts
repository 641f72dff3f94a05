import type { NetworkAttachment, NetworkPlan, VolumePlan } from '../service-plan.js';
import type { ComposeAttachment, ComposeFile, ComposeService } from './compose-file.js';
import type { Place } from './place.js';
import type { PlanContext } from './plan-context.js';
import { readLabels, readList, readTexts, readTruth } from './readers.js';

const DEFAULT_NETWORK = 'default';

/** The networks and volumes of a file, by key. Their names on the engine contain the id of the service. */
export class OwnResources {
  readonly networks = new Map<string, NetworkPlan>();
  readonly volumes = new Map<string, VolumePlan>();

  constructor(
    file: ComposeFile,
    private readonly context: Pick<PlanContext, 'serviceId' | 'organisationNetwork'>,
    private readonly place: Place,
  ) {
    for (const [key, network] of Object.entries(file.networks ?? {})) {
      const at = place.at('networks', key);
      if (network?.driver !== undefined && network.driver !== 'bridge')
        at.at('driver').forbid('Only bridge networks of this service are supported.');
      const internal = readTruth(network?.internal);
      const labels = readLabels(network?.labels, at.at('labels'));
      if (network?.['x-panel'] === 'organisation') {
        if (internal) at.at('internal').refuse("The organisation's network has a way out.");
        const { name, owner } = context.organisationNetwork;
        this.networks.set(key, { key, name, internal: false, organisation: owner, labels: new Map() });
        continue;
      }
      // The engine cannot make an existing network internal, so the two kinds have different names.
      const name = internal ? `${context.serviceId}-internal_${key}` : this.nameOf(key);
      this.networks.set(key, { key, name, internal, labels });
    }
    for (const [key, volume] of Object.entries(file.volumes ?? {})) {
      const at = place.at('volumes', key);
      if (volume?.driver !== undefined && volume.driver !== 'local')
        at.at('driver').forbid('Only local volumes are supported.');
      const shared = volume?.['x-shared'];
      if (shared !== undefined && typeof shared !== 'boolean') at.at('x-shared').refuse('Write true or false.');
      const labels = readLabels(volume?.labels, at.at('labels'));
      this.volumes.set(key, { key, name: this.nameOf(key), ...(shared === true ? { shared } : {}), labels });
    }
  }

  /** The name on the engine, or null if the file declares no such volume. */
  volume(key: string): string | null {
    return this.volumes.get(key)?.name ?? null;
  }

  attachments(name: string, service: ComposeService, place: Place): readonly NetworkAttachment[] {
    return joined(service.networks, place).flatMap(({ key, aliases, at }) => {
      if (key === DEFAULT_NETWORK && !this.networks.has(key))
        this.networks.set(key, { key, name: this.nameOf(key), internal: false, labels: new Map() });
      const network = this.networks.get(key);
      // On the organisation's network only explicit aliases count, because two services may both have a container web.
      const own = network?.organisation === undefined ? [name] : [];
      if (network) return [{ network: network.name, aliases: [...new Set([...own, ...aliases])] }];
      at.refuse(`The network ${key} is not declared under networks.`);
      return [];
    });
  }

  /** Unused networks and volumes are not created. The user gets a warning. */
  keepOnly(usedNames: ReadonlySet<string>): { networks: readonly NetworkPlan[]; volumes: readonly VolumePlan[] } {
    return {
      networks: this.usedOf('networks', this.networks, usedNames),
      volumes: this.usedOf('volumes', this.volumes, usedNames),
    };
  }

  private usedOf<T extends { key: string; name: string }>(
    section: string,
    declared: ReadonlyMap<string, T>,
    usedNames: ReadonlySet<string>,
  ): readonly T[] {
    return [...declared.values()].filter((resource) => {
      const isUsed = usedNames.has(resource.name);
      if (!isUsed && resource.key !== DEFAULT_NETWORK)
        this.place.at(section, resource.key).warn('unused', 'No started service uses it, so it is not created.');
      return isUsed;
    });
  }

  private nameOf(key: string): string {
    return `${this.context.serviceId}_${key}`;
  }
}

interface Joined {
  readonly key: string;
  readonly aliases: readonly string[];
  readonly at: Place;
}

/** An empty list or mapping means the default network, as in Compose. */
function joined(networks: ComposeService['networks'], place: Place): readonly Joined[] {
  if (Array.isArray(networks) && networks.length > 0)
    return readList<string>(networks as readonly string[], place).map(({ item, place: at }) => ({
      key: item,
      aliases: [],
      at,
    }));
  const entries = Object.entries((networks ?? {}) as Readonly<Record<string, ComposeAttachment | null>>);
  if (entries.length === 0) return [{ key: DEFAULT_NETWORK, aliases: [], at: place }];
  return entries.map(([key, attachment]) => {
    const at = place.at(key);
    return { key, aliases: readTexts(attachment?.aliases, at.at('aliases')), at };
  });
}
