import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImageBuilder } from '../../../libs/services/src/application/ports/git/image-builder.js';
import { BuildKitImageBuilder } from '../../../libs/services/src/infrastructure/docker/building/buildkit/buildkit-image-builder.js';
import { LIMITS, type ImageBuilderBed } from '../../contract/image-builder.contract.js';
import { TextRepository } from '../git/text-repository.js';
import { fileOf } from './classic-builder-bed.js';
import { engineJson } from './engine-http.js';
import { forgetImages, makeImage } from './images.js';
import { OwnEngine } from './own-engine/own-engine.js';

const CGROUPS = '/sys/fs/cgroup';
const FILES_V1 = { 'memory/memory.limit_in_bytes': LIMITS.memoryMb * 2 ** 20, 'pids/pids.max': LIMITS.processes };

export interface BuildKitBed extends ImageBuilderBed {
  readonly engine: OwnEngine;
  /** Descriptions of everything in the cache. */
  readonly cache: () => Promise<readonly string[]>;
  /** The same builder with the firewall, which blocks private addresses for build steps. */
  guarded(): ImageBuilder;
  /** The files of the engine that contain this text, including the files of all layers. */
  filesWith(text: string): readonly string[];
  /** Stops the engine. `close` does nothing, because tests outside the contract use the engine too. */
  end(): Promise<void>;
}

/** BuildKit in a separate engine, whose cgroup is limited as an operator would limit it. */
export async function openBuildKitBed(): Promise<BuildKitBed> {
  const name = `test-buildkit-${process.pid}`;
  capCgroup(name);
  const engine = await OwnEngine.start({ 'cgroup-parent': `/${name}` });
  process.env.DOCKER_HOST = engine.host;
  const base = `${name}/base:1`;
  await makeImage(base);
  let count = 0;
  const cache = async () => {
    const { BuildCache } = await engineJson<{ BuildCache: { Description: string }[] | null }>('GET', '/system/df');
    return (BuildCache ?? []).map(({ Description }) => Description);
  };
  return {
    engine,
    base,
    cache,
    builder: new BuildKitImageBuilder({ host: engine.host }),
    guarded: () => new BuildKitImageBuilder({ host: engine.host, firewall: 'required' }),
    imageWith: async (instruction) => {
      const reference = `${name}/trap:1`;
      await makeImage(reference, { instructions: [instruction] });
      return reference;
    },
    reference: () => `${name}/image:${(count += 1)}`,
    repository: (files, links) => Promise.resolve(new TextRepository(files, links)),
    fileOf: (image, path) => fileOf(image.id, path),
    containers: () => Promise.resolve(processesIn(join(CGROUPS, 'memory', name)).length),
    layersOf: async (text) => (await cache()).filter((description) => description.includes(text)).length,
    filesWith: (text) => engine.filesWith(text),
    close: () => Promise.resolve(),
    end: async () => {
      await forgetImages(name);
      delete process.env.DOCKER_HOST;
      deleteRules(engine.bridgeName);
      await engine.remove();
      for (const file of Object.keys(FILES_V1)) removeCgroup(join(CGROUPS, file.split('/')[0]!, name));
    },
  };
}

/** Deletes the firewall rules. */
function deleteRules(bridge: string): void {
  for (const rule of [`DOCKER-USER -i ${bridge} -j PANEL-BUILD`, `INPUT -i ${bridge} -j DROP`])
    spawnSync('iptables', ['--wait', '3', '-D', ...rule.split(' ')], { stdio: 'ignore' });
}

function capCgroup(name: string): void {
  for (const [file, limit] of Object.entries(FILES_V1)) {
    const [controller = '', setting = ''] = file.split('/');
    const folder = join(CGROUPS, controller, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, setting), String(limit));
  }
}

/** The processes of this cgroup and all cgroups below it. */
function processesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const own = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
  return [...own, ...foldersIn(folder).flatMap(processesIn)];
}

function removeCgroup(folder: string): void {
  if (!existsSync(folder)) return;
  foldersIn(folder).forEach(removeCgroup);
  rmdirSync(folder);
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
