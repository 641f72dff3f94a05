import { ApiProperty } from '@nestjs/swagger';
import { BUILD_METHODS, type BuildMethod, type ShownGitSource } from '#libs/services';
import { GitVolumeDto } from './create-git-service.dto.js';

/** The source of a service from a repository, with the field names of its creation. */
export class GitSourceDto {
  @ApiProperty({ example: 'https://github.com/acme/shop.git' })
  git_repo_url: string;

  @ApiProperty({ example: 'main' })
  git_branch: string;

  @ApiProperty({ type: String, enum: BUILD_METHODS, example: 'auto' })
  build_method: BuildMethod;

  @ApiProperty({ type: 'integer', example: 8080 })
  port: number;

  @ApiProperty({ description: 'Whether a deploy key is stored. The key itself is never shown.', example: false })
  has_deploy_key: boolean;

  @ApiProperty({ type: String, nullable: true, example: null })
  known_hosts: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'docker/Dockerfile' })
  dockerfile_path: string | null;

  @ApiProperty({ description: 'Empty for the whole repository.', example: 'apps/api' })
  base_directory: string;

  @ApiProperty({ type: [String], example: ['apps/api/**'] })
  watch_paths: string[];

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { NODE_ENV: 'production' } })
  build_args: Record<string, string>;

  @ApiProperty({ type: [String], description: 'Names only; the values are never shown.', example: ['NPM_TOKEN'] })
  build_secret_names: string[];

  @ApiProperty({ type: [GitVolumeDto] })
  volumes: GitVolumeDto[];

  static of(source: ShownGitSource): GitSourceDto {
    return {
      git_repo_url: source.url,
      git_branch: source.branch,
      build_method: source.buildMethod,
      port: source.port,
      has_deploy_key: source.hasDeployKey,
      known_hosts: source.knownHosts,
      dockerfile_path: source.dockerfilePath,
      base_directory: source.baseDirectory,
      watch_paths: [...source.watchPaths],
      build_args: { ...source.buildArgs },
      build_secret_names: [...source.buildSecretNames],
      volumes: source.volumes.map((volume) => ({ ...volume })),
    };
  }
}
