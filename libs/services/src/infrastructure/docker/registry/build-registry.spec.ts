import { z } from 'zod';
import { readEnv } from '#platform/config/read-env';
import { parseImageReference } from '../../../domain/compose/values/image-reference.js';
import { BuildRegistry, buildRegistryEnv, refuseHalfRegistry } from './build-registry.js';
import { isInsecure } from './insecure-registries.js';

const LOGIN = { BUILD_REGISTRY_USERNAME: 'panel', BUILD_REGISTRY_PASSWORD: 'canary-password' };

const registryOf = (env: Record<string, string>) =>
  BuildRegistry.of(readEnv(z.object(buildRegistryEnv).superRefine(refuseHalfRegistry), env));
const loginFor = (image: string, registry = 'registry.internal:5000/builds') =>
  registryOf({ BUILD_REGISTRY: registry, ...LOGIN }).loginFor(parseImageReference(image)!);

describe('the registry for built images', () => {
  it.each([
    [{ BUILD_REGISTRY: 'https://registry.internal' }, 'BUILD_REGISTRY: must be a registry'],
    [{ BUILD_REGISTRY: 'builds' }, 'BUILD_REGISTRY: must be a registry'],
    [{ BUILD_REGISTRY_PASSWORD: 'canary-password' }, 'BUILD_REGISTRY: is required'],
    [{ BUILD_REGISTRY: 'a.test', BUILD_REGISTRY_PASSWORD: 'canary-password' }, 'BUILD_REGISTRY_USERNAME: is required'],
    [{ BUILD_REGISTRY: 'a.test', BUILD_REGISTRY_USERNAME: 'me' }, 'BUILD_REGISTRY_PASSWORD: is required'],
  ])('refuses the settings %j', (env, told) => {
    expect(() => registryOf(env)).toThrow(told);
    expect(() => registryOf(env)).not.toThrow(/canary/);
  });

  it('gives its login to images that were built here, and to no others', () => {
    const login = { username: 'panel', password: 'canary-password', serveraddress: 'registry.internal:5000' };
    expect(loginFor('registry.internal:5000/builds/panel-git/x:1')).toEqual(login);
    expect(loginFor('registry.internal:5000/panel-git/x:1', 'registry.internal:5000')).toEqual(login);
    for (const other of ['builds/other:1', 'panel-git/x:1', 'builds/panel-git-2/x:1', 'builds2/panel-git/x:1'])
      expect(loginFor(`registry.internal:5000/${other}`)).toBeUndefined();
    expect(loginFor('registry.internal/builds/panel-git/x:1')).toBeUndefined();
    expect(registryOf({}).loginFor(parseImageReference('registry.internal:5000/builds/panel-git/x')!)).toBeUndefined();
    expect(JSON.stringify(registryOf({ BUILD_REGISTRY: 'a.test', ...LOGIN }))).not.toContain('canary');
  });

  it('has no TLS only where the engine says so', () => {
    const config = {
      InsecureRegistryCIDRs: ['127.0.0.0/8', '10.1.0.0/16'],
      IndexConfigs: { 'docker.io': { Secure: true }, 'registry.internal:5000': { Secure: false } },
    };
    const insecure = ['127.0.0.1:5000', 'localhost:5000', '10.1.2.3', 'registry.internal:5000'];
    expect(insecure.filter((host) => !isInsecure(host, config))).toEqual([]);
    const secure = ['docker.io', 'registry.internal', '10.2.0.1:5000', '[::1]:5000', 'ghcr.io'];
    expect(secure.filter((host) => isInsecure(host, config))).toEqual([]);
  });
});
