import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { SecretText } from '#kernel/crypto/secret-text';
import { COMMIT_STATES, GIT_PROVIDERS, type GitHostChoice, type GitProvider, type ShownGitHost } from '#libs/services';
import { MayBeAbsent } from '#platform/http/validation/text.decorator';

const ENABLED = {
  description:
    'Whether pull requests get a preview: a service of its own, which is built from their branch. Only for branches ' +
    'of the same repository, never for forks.',
  example: true,
};
const HOURS = {
  type: 'integer',
  minimum: 1,
  maximum: 720,
  description: 'How many hours a preview is kept after its last push.',
  example: 72,
} as const;
const VARIABLES = {
  type: [String] as [typeof String],
  maxItems: 200,
  description: 'Names of the variables of the service that its previews get too. Previews get no others.',
  example: ['LOG_LEVEL'],
};
const PROVIDER = {
  type: String,
  enum: [...GIT_PROVIDERS, null],
  nullable: true,
  description:
    'The kind of the Git host, for commit statuses. Null for github.com, gitlab.com and bitbucket.org, which are known ' +
    'by their names.',
  example: 'gitea',
} as const;
const LAST_STATUS = {
  deploymentId: { type: 'string', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' },
  state: { type: 'string', enum: [...COMMIT_STATES], example: 'success' },
  error: {
    type: 'string',
    nullable: true,
    description: 'Why the host did not take it; otherwise null.',
    example: 'The host answered 401.',
  },
  at: { type: 'string', format: 'date-time', example: '2026-05-01T08:30:00.000Z' },
} as const;
/** The characters that an HTTP header allows. */
const TOKEN = /^[\x21-\x7e]{1,1024}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** A service's settings for its Git host. */
export class GitSettingsDto {
  @ApiProperty(ENABLED)
  previewsEnabled: boolean;

  @ApiProperty(HOURS)
  previewHours: number;

  @ApiProperty(VARIABLES)
  previewVariables: readonly string[];

  @ApiProperty(PROVIDER)
  statusProvider: GitProvider | null;

  @ApiProperty({ description: 'Whether a token is stored. The token itself is never shown.', example: true })
  hasStatusToken: boolean;

  @ApiProperty({
    type: 'object',
    nullable: true,
    properties: LAST_STATUS,
    required: Object.keys(LAST_STATUS),
    selfRequired: true,
    description: 'The last commit status of the service or its previews; null when there was none.',
  })
  lastStatus: ShownGitHost['lastStatus'];

  static of({ previews, provider, hasToken, lastStatus }: ShownGitHost): GitSettingsDto {
    const { enabled, hours, variables } = previews;
    const shown = { previewsEnabled: enabled, previewHours: hours, previewVariables: [...variables] };
    return { ...shown, statusProvider: provider, hasStatusToken: hasToken, lastStatus };
  }
}

/** Omitted fields keep their values. */
export class ChangeGitSettingsDto {
  static readonly mayBeMissing = true;

  @ApiProperty({ ...ENABLED, required: false })
  @MayBeAbsent()
  @IsBoolean()
  previewsEnabled?: boolean;

  @ApiProperty({ ...HOURS, required: false })
  @MayBeAbsent()
  @Min(1)
  @Max(720)
  @IsInt({ message: '$property must be a whole number' })
  previewHours?: number;

  @ApiProperty({ ...VARIABLES, required: false })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(200)
  @IsString({ each: true, message: '$property must be strings' })
  @Matches(NAME, { each: true, message: '$property must be names of variables' })
  previewVariables?: string[];

  @ApiProperty({ ...PROVIDER, required: false })
  @MayBeAbsent()
  @IsOptional()
  @IsIn(GIT_PROVIDERS, { message: `$property must be one of ${GIT_PROVIDERS.join(', ')}` })
  statusProvider?: GitProvider | null;

  @ApiProperty({
    type: String,
    nullable: true,
    required: false,
    minLength: 1,
    maxLength: 1024,
    writeOnly: true,
    description:
      'A token of the Git host that may set commit statuses of the repository. With it, the host is told how each ' +
      'deployment of a commit stands. Null removes it. It is never returned.',
    example: 'github_pat_11AB…',
  })
  @MayBeAbsent()
  @IsOptional()
  @Matches(TOKEN, { message: '$property must have 1 to 1024 printable ASCII characters without spaces' })
  statusToken?: string | null;

  static change(body: ChangeGitSettingsDto): GitHostChoice {
    const { previewsEnabled, previewHours, previewVariables, statusProvider, statusToken } = body;
    const previews = {
      ...(previewsEnabled === undefined ? {} : { enabled: previewsEnabled }),
      ...(previewHours === undefined ? {} : { hours: previewHours }),
      ...(previewVariables === undefined ? {} : { variables: [...new Set(previewVariables)] }),
    };
    return {
      previews,
      ...(statusProvider === undefined ? {} : { provider: statusProvider }),
      ...(statusToken === undefined ? {} : { token: statusToken === null ? null : new SecretText(statusToken) }),
    };
  }
}
