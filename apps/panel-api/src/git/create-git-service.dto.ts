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

  @ApiProperty({ description: 'Where it is in the container.', example: '/app/uploads' })
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
      '`auto`: by the Dockerfile of the repository if it has one, else by one that is made from its files. `dockerfile`: ' +
      'by its Dockerfile. `nixpacks`: by that program, where it is installed.',
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
    description: 'What the program listens on; it finds the number in `PORT`.',
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
    description: 'The organisation that the service is assigned to; without it, none.',
    example: null,
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be a UUID' })
  customer_id?: string | null;

  @ApiProperty({
    ...OPTIONAL,
    type: GivenLimitsDto,
    description: 'What the containers may use; 1 core, 512 MB and 5120 MB of disk where it says nothing.',
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
    description: 'A private key for ssh that the host knows as a deploy key, without a passphrase. No answer shows it.',
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
      'Lines of a known_hosts file with the host keys of a host of your own. Those of the large hosts are known.',
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
    description: 'The folder that is built, for a repository with several programs.',
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
      'A push that changes none of these is not deployed. `*` and `**` stand for anything; `!` takes paths out.',
    example: ['apps/api/**', '!**/*.md'],
  })
  @IsOptional()
  @IsArray()
  @IsString({ each: true, message: '$property must be texts' })
  watch_paths?: string[] | null;

  @ApiProperty({
    ...VALUES,
    description: 'Values for `ARG`. They stay readable in the image: nothing secret belongs here.',
    example: { NODE_ENV: 'production' },
  })
  @IsOptional()
  @IsObject()
  build_args?: Record<string, unknown> | null;

  @ApiProperty({ ...VALUES, description: 'The environment of the program.', example: { LOG_LEVEL: 'info' } })
  @IsOptional()
  @IsObject()
  variables?: Record<string, unknown> | null;

  @ApiProperty({
    ...VALUES,
    description:
      'Secrets that only the build sees. They need a builder that keeps them out of the image: 422 without one.',
    example: null,
  })
  @IsOptional()
  @IsObject()
  build_secrets?: Record<string, unknown> | null;

  @ApiProperty({ ...OPTIONAL, type: [GitVolumeDto], maxItems: 20, description: 'Data that outlives a deployment.' })
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

/** In the portal there is nobody to assign it to. */
export class NewGitServiceDto extends OmitType(CreateGitServiceDto, ['customer_id']) {
  static readonly check = CreateGitServiceDto.check;
}

export class DeployRefDto {
  static readonly mayBeMissing = true;

  @ApiProperty({
    ...OPTIONAL,
    type: String,
    maxLength: 255,
    description: 'A branch, a tag or a whole commit id; without it, the newest commit of the branch.',
    example: 'v1.4.0',
  })
  @MayBeAbsent()
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  ref?: string | null;
}
