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

/** How a container ended. It is kept in a label, because the swarm removes the task of a stopped service. */
export interface Ending {
  /** Null when the swarm had already removed the task before its end was seen. */
  readonly exitCode: number | null;
  readonly finishedAt: Date | null;
}

export const UNSEEN: Ending = { exitCode: null, finishedAt: null };

/** Swarm services cannot be renamed, so the panel's name of a container is a label. */
export function containerLabels(labels: OwnLabels, spec: ContainerSpec): Labels {
  return { ...labels.forContainer(spec.owner), [NAME]: spec.name, [IMAGE_ID]: spec.imageId };
}

export function nameFilter(labels: OwnLabels, name: string): string[] {
  return [...labels.filter(null), `${NAME}=${name}`];
}

/**
 * The same for every repetition of a step, and hard to guess, so that other containers cannot use it as a host name.
 */
export function swarmName(owner: ContainerOwner, instance: string | null): string {
  const { serviceId, deploymentId, role } = owner;
  const text = JSON.stringify([instance, serviceId, deploymentId, role]);
  return `panel-${createHash('sha256').update(text).digest('hex').slice(0, NAME_LENGTH)}`;
}

/** The container that labels describe; null when they are not the panel's. */
export function ownedOf(labels: OwnLabels, id: string, found: Labels): Omit<OwnedContainer, 'lifecycle'> | null {
  const owner = labels.ownerOf(found);
  return owner && { id, name: found[NAME] ?? id, owner, imageId: found[IMAGE_ID] ?? '' };
}

export function withName(found: Labels, name: string): Labels {
  return { ...found, [NAME]: name };
}

export function withEnding(found: Labels, ending: Ending | null): Labels {
  const { [EXIT_CODE]: _code, [FINISHED_AT]: _at, ...rest } = found;
  if (!ending) return rest;
  const at = ending.finishedAt && { [FINISHED_AT]: ending.finishedAt.toISOString() };
  return { ...rest, [EXIT_CODE]: String(ending.exitCode ?? ''), ...at };
}

export function endingOf(found: Labels): Ending | null {
  const { [EXIT_CODE]: code, [FINISHED_AT]: at } = found;
  if (code === undefined) return null;
  return { exitCode: code === '' ? null : Number(code), finishedAt: at === undefined ? null : new Date(at) };
}
