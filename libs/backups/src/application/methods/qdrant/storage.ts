import { BackupFailed } from '../../../domain/backup-errors.js';
import type { Inventory } from '../../../domain/inventory.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { fields, list, parsed, type QdrantApi, type QdrantRequest } from './qdrant-api.js';

/** The contents of a snapshot of the whole storage, from its `config.json`. */
export interface SnapshotContents {
  /** Name of the file in the snapshot, by collection. */
  readonly collections: ReadonlyMap<string, string>;
  /** Name of the collection, by alias. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** @throws BackupFailed */
export function contentsOf(text: string): SnapshotContents {
  const { collections_mapping: collections, collections_aliases: aliases } = parsed(text);
  if (typeof collections !== 'object' || collections === null)
    throw new BackupFailed('The snapshot does not say what is in it.');
  return { collections: texts(collections), aliases: texts(aliases ?? {}) };
}

export function objectsOf({ collections, aliases }: { collections: number; aliases: number }): Inventory['objects'] {
  return { ...(collections > 0 && { collection: collections }), ...(aliases > 0 && { alias: aliases }) };
}

export function contentObjects({ collections, aliases }: SnapshotContents): Inventory['objects'] {
  return objectsOf({ collections: collections.size, aliases: aliases.size });
}

/** Number of points by collection. */
export type Points = Readonly<Record<string, number>>;

/** @throws BackupFailed */
export async function pointsOf(api: QdrantApi, target: DatabaseTarget, signal: AbortSignal): Promise<Points> {
  const names = await collectionsOf(api, target, signal);
  const counts = await api.ask(target, names.map(countOf), signal);
  return Object.fromEntries(names.map((name, at) => [name, countIn(counts[at])]));
}

/** Names of all collections. @throws BackupFailed */
export async function collectionsOf(api: QdrantApi, target: DatabaseTarget, signal: AbortSignal): Promise<string[]> {
  const [found] = await api.ask(target, [{ method: 'GET', path: '/collections' }], signal);
  return list(fields(found).collections).map((one) => String(fields(one).name));
}

export const ALIASES: QdrantRequest = { method: 'GET', path: '/aliases' };

export function aliasesIn(result: unknown): number {
  return list(fields(result).aliases).length;
}

function countOf(collection: string): QdrantRequest {
  return { method: 'POST', path: `${pathOf(collection)}/points/count`, body: { exact: true } };
}

/** @throws BackupFailed */
function countIn(result: unknown): number {
  const { count } = fields(result);
  if (typeof count !== 'number') throw new BackupFailed('The points of a collection could not be counted.');
  return count;
}

export function removalOf(collection: string): QdrantRequest {
  return { method: 'DELETE', path: pathOf(collection) };
}

/** @param folder absolute path in the container of the unpacked snapshot */
export function recoveryOf(collection: string, folder: string, file: string): QdrantRequest {
  const location = `file://${folder}/${encodeURIComponent(file)}`;
  const path = `${pathOf(collection)}/snapshots/recover?wait=true`;
  return { method: 'PUT', path, body: { location, priority: 'snapshot' } };
}

export function creationOf(aliases: ReadonlyMap<string, string>): QdrantRequest {
  const actions = [...aliases].map(([alias, collection]) => ({
    create_alias: { alias_name: alias, collection_name: collection },
  }));
  return { method: 'POST', path: '/collections/aliases', body: { actions } };
}

function pathOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}`;
}

function texts(object: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(object).map(([name, value]) => [name, String(value)]));
}
