import { text as textOf } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { ClassicImageBuilder } from '../../../libs/services/src/infrastructure/docker/building/classic-image-builder.js';
import type { ImageBuilderBed } from '../../contract/image-builder.contract.js';
import { TextRepository } from '../git/text-repository.js';
import { engineHost, engineJson, engineRequest } from './engine-http.js';
import { forgetImages, makeImage } from './images.js';

/** The classic builder of the real engine, with a separate network. */
export async function openClassicBuilderBed(): Promise<ImageBuilderBed> {
  const instance = `test-${process.pid}`;
  const prefix = `test-build-${process.pid}`;
  const base = `${prefix}/base:1`;
  await makeImage(base);
  let count = 0;
  const ours = new RegExp(`sleep 6[012]|attack .* ${process.pid}`);
  return {
    builder: new ClassicImageBuilder({ host: engineHost(), instance }),
    base,
    imageWith: async (instruction) => {
      const reference = `${prefix}/trap:1`;
      await makeImage(reference, { instructions: [instruction] });
      return reference;
    },
    reference: () => `${prefix}/image:${(count += 1)}`,
    repository: (files, links) => Promise.resolve(new TextRepository(files, links)),
    fileOf: (image, path) => fileOf(image.id, path),
    containers: async () => {
      const found = await engineJson<{ Command: string }[]>('GET', '/containers/json?all=1');
      // Only this suite runs such commands.
      return found.filter(({ Command }) => ours.test(Command)).length;
    },
    layersOf: async (text) => {
      const unnamed = await engineJson<{ Id: string; RepoTags: string[] | null }[]>('GET', '/images/json?all=1');
      const told = await Promise.all(
        unnamed
          .filter(({ RepoTags }) => (RepoTags ?? []).every((tag) => tag === '<none>:<none>'))
          .map(({ Id }) => engineRequest('GET', `/images/${Id}/json`)),
      );
      return told.filter((answer) => answer.text.includes(text)).length;
    },
    close: async () => {
      await forgetImages(prefix);
      await engineRequest('DELETE', `/networks/panel-build-${instance}`);
    },
  };
}

/** The text of a file in an image. Null if it does not exist. */
export async function fileOf(imageId: string, path: string): Promise<string | null> {
  const { Id } = await engineJson<{ Id: string }>('POST', '/containers/create', { Image: imageId, Cmd: ['true'] });
  try {
    const answer = await engineRequest('GET', `/containers/${Id}/archive?path=${encodeURIComponent(path)}`);
    if (answer.status === 404) return null;
    const reader = extract();
    Readable.from([answer.bytes]).pipe(reader);
    for await (const entry of reader) return await textOf(entry);
    return null;
  } finally {
    await engineRequest('DELETE', `/containers/${Id}?force=1`);
  }
}
