import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope, resourceLimits } from '#libs/services';
import { GitDeploys } from '../../../libs/services/src/application/building/git-deploys.js';
import { gitCheckoutOf } from '../../../libs/services/src/infrastructure/git/git-env.js';
import type { GitSource } from '../../../libs/services/src/domain/git/git-source.js';
import { FakeImageBuilder } from '../../support/docker/fakes/building/fake-image-builder.js';
import { FakeContainerRuntime } from '../../support/docker/fakes/fake-container-runtime.js';
import { GitServer } from '../../support/git/git-server.js';
import type { Pipeline } from '../../support/services/pipeline.js';
import { startPipeline } from '../../support/services/start-pipeline.js';
import { SwitchedReach } from '../../support/services/switches.js';

const BASE = 'registry.example.com/base:1';
const NOBODY = { userId: null, apiKeyId: null };
const DEFAULTS: Omit<GitSource, 'url'> = {
  branch: 'main',
  buildMethod: 'auto',
  port: 8080,
  deployKey: null,
  knownHosts: null,
  dockerfilePath: null,
  baseDirectory: '',
  watchPaths: [],
  buildArgs: {},
  buildSecrets: {},
  volumes: [],
};

describe('a service from a repository', () => {
  const runtime = new FakeContainerRuntime();
  const builder = new FakeImageBuilder(runtime.state);
  let git: GitServer;
  let pipeline: Pipeline;

  beforeAll(async () => {
    git = await GitServer.start();
    runtime.state.publish(BASE, {});
    pipeline = await startPipeline(runtime, {
      builder,
      reach: new SwitchedReach(),
      times: { gate: 20 },
      checkout: gitCheckoutOf({ GIT_ALLOWED_HOSTS: [git.host], GIT_CA_FILE: git.caFile }),
    });
  });

  afterAll(async () => {
    await pipeline.close();
    await git.close();
  });

  const dockerfile = (step: string) => ({ Dockerfile: `FROM ${BASE}\nCOPY . /app\nRUN ${step}\n` });

  async function create(name: string): Promise<Uuid> {
    const request = {
      name,
      description: null,
      customerId: null,
      variables: new Map<string, string>(),
      resourceLimits: resourceLimits({ memoryMb: 128, cpuCores: 1 }),
      git: { ...DEFAULTS, url: git.url(name) },
    };
    const accepted = await pipeline.intake.fromGit(request, NOBODY);
    await pipeline.runner.run(accepted.deploymentId);
    return accepted.serviceId;
  }

  async function deploy(id: Uuid) {
    const wanted = { ref: null, trigger: 'git', actor: NOBODY } as const;
    const { deploymentId } = await pipeline.app.get(GitDeploys).deploy(OrganisationScope.all, id, wanted);
    await pipeline.runner.run(deploymentId!);
    return (await pipeline.last(id))!;
  }

  const built = (id: Uuid) => [...runtime.state.images.keys()].filter((name) => name.includes(`/${id}:`));

  it('keeps its containers when a build fails', async () => {
    const repository = git.repository('failing');
    repository.commit(dockerfile('echo one'));
    const id = await create('failing');
    const before = await runtime.listOwned(id);
    repository.commit(dockerfile('exit 3'));
    expect(await deploy(id)).toMatchObject({
      status: 'failed',
      errorMessage: 'build_failed: "exit 3" ended with 3. See the log.',
    });
    expect(await pipeline.service(id)).toMatchObject({ status: 'running' });
    expect(await runtime.listOwned(id)).toEqual(before);
    expect(built(id)).toHaveLength(1);
    expect(builder.layers.unnamed('exit 3')).toBe(0);
  });

  it('keeps the images of its last five builds, and builds nothing for a rollback', async () => {
    const repository = git.repository('often');
    repository.commit(dockerfile('echo 0'));
    const id = await create('often');
    for (const count of [1, 2, 3, 4, 5, 6]) {
      repository.commit(dockerfile(`echo ${count}`));
      expect(await deploy(id)).toMatchObject({ status: 'succeeded' });
    }
    const images = built(id);
    expect(images).toHaveLength(5);
    const fifth = (await pipeline.deployments(id))[4]!;
    expect(await pipeline.rollback(id, fifth.id)).toMatchObject({ status: 'succeeded', commitSha: fifth.commitSha });
    expect(built(id)).toEqual(images);
  });
});
