import { PartialType, PickType } from '@nestjs/swagger';
import { Invalid } from '#kernel/errors';
import { folderPath, type GitSource } from '#libs/services';
import { ComposeSourceDto } from '../services/create-service.dto.js';
import { CreateGitServiceDto } from './create-git-service.dto.js';
import { checkGitBody } from './git-body-checks.js';

/** The source fields of a service from a repository, all optional in a change. Null means the default. */
export class GitFieldsDto extends PartialType(
  PickType(CreateGitServiceDto, [
    ...([
      'git_repo_url',
      'git_branch',
      'build_method',
      'port',
      'deploy_key',
      'known_hosts',
      'dockerfile_path',
    ] as const),
    ...(['base_directory', 'watch_paths', 'build_args', 'build_secrets', 'volumes'] as const),
  ]),
) {}

type Readers = {
  readonly [Field in keyof GitSource]: readonly [keyof GitFieldsDto, (body: GitFieldsDto) => GitSource[Field]];
};

const READERS: Readers = {
  url: ['git_repo_url', ({ git_repo_url: url }) => url ?? ''],
  branch: ['git_branch', ({ git_branch: branch }) => branch ?? 'main'],
  buildMethod: ['build_method', ({ build_method: method }) => method ?? 'auto'],
  port: ['port', ({ port }) => port ?? 8080],
  deployKey: ['deploy_key', ({ deploy_key: key }) => key ?? null],
  knownHosts: ['known_hosts', ({ known_hosts: hosts }) => hosts ?? null],
  dockerfilePath: ['dockerfile_path', ({ dockerfile_path: path }) => folderPath(path ?? '') || null],
  baseDirectory: ['base_directory', ({ base_directory: path }) => folderPath(path ?? '') ?? ''],
  watchPaths: ['watch_paths', ({ watch_paths: paths }) => paths ?? []],
  buildArgs: [
    'build_args',
    ({ build_args: given }) => Object.fromEntries(ComposeSourceDto.values({ variables: given ?? null })),
  ],
  buildSecrets: [
    'build_secrets',
    ({ build_secrets: given }) => Object.fromEntries(ComposeSourceDto.values({ variables: given ?? null })),
  ],
  volumes: ['volumes', ({ volumes }) => (volumes ?? []).map(({ name, path }) => ({ name, path }))],
};

/** The complete source, with defaults for omitted fields. */
export function gitSourceOf(body: GitFieldsDto): GitSource {
  const { url, branch, buildMethod, port, deployKey, knownHosts } = READERS;
  const { dockerfilePath, baseDirectory, watchPaths, buildArgs, buildSecrets, volumes } = READERS;
  return {
    url: url[1](body),
    branch: branch[1](body),
    buildMethod: buildMethod[1](body),
    port: port[1](body),
    deployKey: deployKey[1](body),
    knownHosts: knownHosts[1](body),
    dockerfilePath: dockerfilePath[1](body),
    baseDirectory: baseDirectory[1](body),
    watchPaths: watchPaths[1](body),
    buildArgs: buildArgs[1](body),
    buildSecrets: buildSecrets[1](body),
    volumes: volumes[1](body),
  };
}

/** The fields that the body contains. Null if it contains none. */
export function gitChangeOf(body: GitFieldsDto): Partial<GitSource> | null {
  const named = Object.entries(READERS).filter(([, [field]]) => body[field] !== undefined);
  if (named.length === 0) return null;
  const whole = gitSourceOf(body);
  return Object.fromEntries(named.map(([name]) => [name, whole[name as keyof GitSource]]));
}

/** @throws Invalid with every invalid field, as for a new service */
export function checkGitChange({ variables: _, ...sent }: Readonly<Record<string, unknown>>): void {
  if (sent['git_repo_url'] === null) throw Invalid.field('git_repo_url', 'must be an address');
  checkGitBody(sent);
}
