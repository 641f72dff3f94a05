import { existsSync, readFileSync } from 'node:fs';
import { pack } from 'tar-stream';
import { engineJson, engineRequest } from './engine-http.js';

export interface ImageContents {
  readonly command?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** A shell command that the engine runs every 200 ms as the health check. Without it, the image has none. */
  readonly healthcheck?: string;
  /** Text files by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Additional Dockerfile instructions, such as `USER 1000`. */
  readonly instructions?: readonly string[];
}

/**
 * Imports an image with a static busybox (Debian: busybox-static) under `reference`, a name with a tag. Takes some tens
 * of milliseconds and needs no network.
 * @returns the id of the image, `sha256:…`
 */
export async function makeImage(reference: string, contents: ImageContents = {}): Promise<string> {
  const { repository, tag } = splitReference(reference);
  const query = new URLSearchParams({ fromSrc: '-', repo: repository, tag });
  for (const change of changesFor(contents)) query.append('changes', change);
  const answer = await engineRequest('POST', `/images/create?${query.toString()}`, {
    body: rootFilesystem(contents.files ?? {}),
  });
  const last = progressOf(answer.text).at(-1);
  if (answer.status !== 200 || last?.error) throw new Error(`import of ${reference} failed: ${answer.text}`);
  return String(last?.status);
}

/**
 * Pushes the image to the registry that its name begins with.
 * @returns the digest of the manifest, `sha256:…`
 */
export async function pushImage(reference: string, login: object = {}): Promise<string> {
  const { repository, tag } = splitReference(reference);
  const answer = await engineRequest('POST', `/images/${repository}/push?tag=${tag}`, {
    timeoutMs: 180_000,
    headers: { 'x-registry-auth': Buffer.from(JSON.stringify(login)).toString('base64') },
  });
  const events = progressOf(answer.text);
  const failure = events.find((event) => event.error);
  const digest = events.find((event) => event.aux?.Digest)?.aux?.Digest;
  if (answer.status !== 200 || failure || !digest) throw new Error(`push of ${reference} failed: ${answer.text}`);
  return digest;
}

/** Pushes a new image to its registry. On the engine, the name keeps its previous meaning. @returns the digest */
export async function publishImage(reference: string, contents: ImageContents = {}): Promise<string> {
  const standing = await engineRequest('GET', `/images/${reference}/json`);
  await makeImage(reference, contents);
  const digest = await pushImage(reference);
  await removeImage(reference);
  if (standing.status === 200) await tagImage(standing.json<{ Id: string }>().Id, reference);
  return digest;
}

/** Gives an image a second name, unless the engine already has an image of that name. @returns whether it did */
export async function tagUnlessThere(image: string, reference: string): Promise<boolean> {
  if ((await engineRequest('GET', `/images/${reference}/json`)).status === 200) return false;
  await tagImage(image, reference);
  return true;
}

/** Gives an image another name. @param id its id or a name of it */
export async function tagImage(id: string, reference: string): Promise<void> {
  const { repository, tag } = splitReference(reference);
  const answer = await engineRequest(
    'POST',
    `/images/${id}/tag?${new URLSearchParams({ repo: repository, tag }).toString()}`,
  );
  if (answer.status !== 201) throw new Error(`cannot tag ${id} as ${reference}: ${answer.text}`);
}

/** Large images take long to delete on a busy disk. */
const REMOVAL_MS = 60_000;

/** Removes a local image. A missing one is not an error. */
export async function removeImage(reference: string): Promise<void> {
  const answer = await engineRequest('DELETE', `/images/${reference}?force=1`, { timeoutMs: REMOVAL_MS });
  if (answer.status >= 300 && answer.status !== 404) throw new Error(`cannot remove ${reference}: ${answer.text}`);
}

/** References of all local images whose name begins with `prefix`. */
export async function localImages(prefix: string): Promise<string[]> {
  const images = await engineJson<LocalImage[]>('GET', '/images/json');
  const names = images.flatMap((image) => [...(image.RepoTags ?? []), ...(image.RepoDigests ?? [])]);
  return names.filter((name) => name.startsWith(prefix) && !name.includes('<none>'));
}

/** Removes every local image whose name begins with `prefix`. */
export async function forgetImages(prefix: string): Promise<void> {
  for (const reference of await localImages(prefix)) await removeImage(reference);
}

const APPLETS = [
  'sh',
  'sleep',
  'cat',
  'echo',
  'ls',
  'stat',
  'id',
  'true',
  'false',
  'wget',
  'httpd',
  'nc',
  'touch',
  'tail',
];

let busybox: Buffer | undefined;

function rootFilesystem(files: Readonly<Record<string, string>>) {
  const tar = pack();
  busybox ??= readFileSync(['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path)) ?? '/bin/busybox');
  tar.entry({ name: 'bin/busybox', mode: 0o755 }, busybox);
  for (const applet of APPLETS) tar.entry({ name: `bin/${applet}`, type: 'symlink', linkname: 'busybox' });
  tar.entry({ name: 'tmp', type: 'directory', mode: 0o1777 });
  tar.entry({ name: 'index.html' }, 'hello\n');
  for (const [path, text] of Object.entries(files)) tar.entry({ name: path.slice(1), mode: 0o644 }, text);
  tar.finalize();
  return tar;
}

function changesFor(contents: ImageContents): string[] {
  const { command = ['sleep', '3600'], labels = {}, healthcheck, instructions = [] } = contents;
  const changes = ['ENV PATH=/bin', `CMD ${JSON.stringify(command)}`, ...instructions];
  for (const [name, value] of Object.entries(labels))
    changes.push(`LABEL ${JSON.stringify(name)}=${JSON.stringify(value)}`);
  if (healthcheck) changes.push(`HEALTHCHECK --interval=200ms --timeout=2s --retries=2 CMD ${healthcheck}`);
  return changes;
}

function splitReference(reference: string): { repository: string; tag: string } {
  const colon = reference.lastIndexOf(':');
  if (colon < reference.lastIndexOf('/')) throw new Error(`an image reference with a tag is needed, not ${reference}`);
  return { repository: reference.slice(0, colon), tag: reference.slice(colon + 1) };
}

interface LocalImage {
  RepoTags: string[] | null;
  RepoDigests: string[] | null;
}

interface ProgressEvent {
  status?: string;
  error?: string;
  aux?: { Digest?: string };
}

function progressOf(text: string): ProgressEvent[] {
  return text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line) as ProgressEvent);
}
