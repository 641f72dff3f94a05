import { createHash } from 'node:crypto';
import type { ContainerSpec } from '../../../application/ports/engine/container-runtime.js';
import type { ContainerOwner, OwnedContainer } from '../../../application/ports/engine/container-state.js';
import type { OwnLabels } from '../container-labels.js';

const NAME = 'panel.name';
const IMAGE_ID = 'panel.image-id';
const EXIT_CODE = 'panel.exit-code';
const FINISHED_AT = 'panel.finished-at';
const NAME_LENGTH = 24;

type Labels = Readonly<Record<string, string>>;

/** How a container ended that was stopped: nothing of its task is left then. */
export interface Ending {
  /** Null when nobody saw it: the swarm forgets a task soon after its end. */
  readonly exitCode: number | null;
  readonly finishedAt: Date | null;
}

export const UNSEEN: Ending = { exitCode: null, finishedAt: null };

/** Services of a swarm keep their names for life, so that the name by which the panel calls them is a label. */
export function containerLabels(labels: OwnLabels, spec: ContainerSpec): Labels {
  return { ...labels.forContainer(spec.owner), [NAME]: spec.name, [IMAGE_ID]: spec.imageId };
}

export function nameFilter(labels: OwnLabels, name: string): string[] {
  return [...labels.filter(null), `${NAME}=${name}`];
}

/** The same for every repetition of a step; of no use as an address, since nobody can guess it. */
export function swarmName(owner: ContainerOwner, instance: string | null): string {
  const { serviceId, deploymentId, role } = owner;
  const text = JSON.stringify([instance, serviceId, deploymentId, role]);
  return `panel-${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}`;
}

/** What the labels tell; null when they are not ours. */
export function ownedOf(labels: OwnLabels, id: string, told: Labels): Omit<OwnedContainer, 'lifecycle'> | null {
  const owner = labels.ownerOf(told);
  return owner && { id, name: told[NAME] ?? id, owner, imageId: told[IMAGE_ID] ?? '' };
}

export function withName(told: Labels, name: string): Labels {
  return { ...told, [NAME]: name };
}

export function withEnding(told: Labels, ending: Ending | null): Labels {
  const { [EXIT_CODE]: _code, [FINISHED_AT]: _at, ...rest } = told;
  if (!ending) return rest;
  const at = ending.finishedAt && { [FINISHED_AT]: ending.finishedAt.toISOString() };
  return { ...rest, [EXIT_CODE]: String(ending.exitCode ?? ''), ...at };
}

export function endingOf(told: Labels): Ending | null {
  const { [EXIT_CODE]: code, [FINISHED_AT]: at } = told;
  if (code === undefined) return null;
  return { exitCode: code === '' ? null : Number(code), finishedAt: at === undefined ? null : new Date(at) };
}
