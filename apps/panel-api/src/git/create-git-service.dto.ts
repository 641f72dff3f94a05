import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import { BUILD_METHODS, type BuildMethod } from '#libs/services';
import { IsText, MayBeAbsent } from '#platform/http/validation/text.decorator';
import { GivenLimitsDto } from '../services/create-service.dto.js';
import { checkGitBody } from './git-body-checks.js';

const OPTIONAL = { required: false, nullable: true } as const;
const VALUES = {
  type: 'object',
  additionalProperties: { type: 'string' },
  selfRequired: false,
  nullable: true,
} as const;

export class GitVolumeDto {
  @ApiProperty({ description: 'A named volume of the service.', example: 'uploads' })
  @IsText({ min: 1, max: 64 })
  name: string;

  @ApiProperty({ description: 'Path in the container.', example: '/app/uploads' })
  @IsText({ min: 2, max: 512 })
  path: string;
}

/** A service from a repository. Its fields are in snake_case, as the contract has them. */
export class CreateGitServiceDto {
  @ApiProperty({ minLength: 1, maxLength: 200, description: 'Unique within its customer.', example: 'shop' })
  @IsText({ min: 1, max: 200, trim: true })
  name: string;

  @ApiProperty({
    minLength: 1,
    maxLength: 1024,
    description: 'An https or ssh address without credentials.',
    example: 'https://github.com/acme/shop.git',
  })
  @IsText({ min: 1, max: 1024, trim: true })
  git_repo_url: string;

  @ApiProperty({ type: String, ...OPTIONAL, maxLength: 2000, example: 'The web shop' })
  @IsOptional()
  @IsText({ max: 2000 })
  description?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 255,
    default: 'main',
    description: 'A branch or tag.',
    example: 'main',
  })
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  git_branch?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    enum: BUILD_METHODS,
    default: 'auto',
    description:
      "`auto`: use the repository's Dockerfile, or generate one from its files. `dockerfile`: use the " +
      "repository's Dockerfile. `nixpacks`: use nixpacks, if installed.",
    example: 'auto',
  })
  @IsOptional()
  @IsIn(BUILD_METHODS, { message: `$property must be one of ${BUILD_METHODS.join(', ')}` })
  build_method?: BuildMethod | null;

  @ApiProperty({
    ...OPTIONAL,
    type: 'integer',
    minimum: 1,
    maximum: 65_535,
    default: 8080,
    description: 'The port that the program listens on, also passed to it as `PORT`.',
    example: 8080,
  })
  @IsOptional()
  @Min(1)
  @Max(65_535)
  @IsInt({ message: '$property must be a whole number' })
  port?: number | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    format: 'uuid',
    description: 'The organisation that the service is assigned to. Defaults to none.',
    example: null,
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be a UUID' })
  customer_id?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: GivenLimitsDto,
    description: 'Limits for all containers together. Defaults to 1 core, 512 MB of memory and 5120 MB of disk.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GivenLimitsDto)
  resource_limits?: GivenLimitsDto | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 16_384,
    writeOnly: true,
    description:
      'A private SSH key, without a passphrase, that the Git host accepts as a deploy key. It is never ' + 'returned.',
    example: '-----BEGIN OPENSSH PRIVATE KEY-----\n…\n-----END OPENSSH PRIVATE KEY-----\n',
  })
  @IsOptional()
  @IsText({ min: 1, max: 16_384 })
  deploy_key?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 16_384,
    description:
      'Lines of a known_hosts file, for your own Git host. The host keys of the large providers are built ' + 'in.',
    example: 'git.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI…',
  })
  @IsOptional()
  @IsText({ max: 16_384 })
  known_hosts?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 1024,
    default: 'Dockerfile',
    description: 'Path of the Dockerfile in the base directory.',
    example: 'docker/Dockerfile',
  })
  @IsOptional()
  @IsText({ min: 1, max: 1024 })
  dockerfile_path?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 1024,
    default: '',
    description: 'The folder to build, for a repository with several programs.',
    example: 'apps/api',
  })
  @IsOptional()
  @IsText({ max: 1024 })
  base_directory?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: [String],
    maxItems: 100,
    description:
      'A push is deployed only if it changes one of these paths. `*` and `**` are wildcards; `!` excludes ' + 'paths.',
    example: ['apps/api/**', '!**/*.md'],
  })
  @IsOptional()
  @IsArray()
  @IsString({ each: true, message: '$property must be strings' })
  watch_paths?: string[] | null;

  @ApiProperty({
    ...VALUES,
    description: 'Values for `ARG`. They remain readable in the image, so do not put secrets here.',
    example: { NODE_ENV: 'production' },
  })
  @IsOptional()
  @IsObject()
  build_args?: Record<string, unknown> | null;

  @ApiProperty({ ...VALUES, description: 'Environment variables of the program.', example: { LOG_LEVEL: 'info' } })
  @IsOptional()
  @IsObject()
  variables?: Record<string, unknown> | null;

  @ApiProperty({
    ...VALUES,
    writeOnly: true,
    description:
      'Secrets for the build only: a step reads them with `RUN --mount=type=secret,id=NAME`. They are in no image, ' +
      'log or cache. They require BuildKit, which the operator turns on: otherwise 422.',
    example: { NPM_TOKEN: 'npm_…' },
  })
  @IsOptional()
  @IsObject()
  build_secrets?: Record<string, unknown> | null;

  @ApiProperty({
    ...OPTIONAL,
    type: [GitVolumeDto],
    maxItems: 20,
    description: 'Volumes, whose data is kept between deployments.',
  })
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => GitVolumeDto)
  volumes?: GitVolumeDto[] | null;

  static check(this: void, sent: Readonly<Record<string, unknown>>): void {
    checkGitBody(sent);
  }

  static customer({ customer_id: id }: CreateGitServiceDto): Uuid | null {
    return parseUuid(id);
  }
}

/** The portal has no `customerId`: the service belongs to the caller's organisation. */
export class NewGitServiceDto extends OmitType(CreateGitServiceDto, ['customer_id']) {
  static readonly check = CreateGitServiceDto.check;
}

export class DeployRefDto {
  static readonly mayBeMissing = true;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 255,
    description: "A branch, a tag or a full commit id. Defaults to the newest commit of the service's branch.",
    example: 'v1.4.0',
  })
  @MayBeAbsent()
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  ref?: string | null;
}
