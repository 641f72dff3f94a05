import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { MayBeAbsent } from '#platform/http/validation/text.decorator';
import type { PreviewSettings } from '#libs/services';

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
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,254}$/;

/** What a service has chosen about its Git host. */
export class GitSettingsDto {
  @ApiProperty(ENABLED)
  previewsEnabled: boolean;

  @ApiProperty(HOURS)
  previewHours: number;

  @ApiProperty(VARIABLES)
  previewVariables: readonly string[];

  static of({ enabled, hours, variables }: PreviewSettings): GitSettingsDto {
    return { previewsEnabled: enabled, previewHours: hours, previewVariables: [...variables] };
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

  static change({ previewsEnabled, previewHours, previewVariables }: ChangeGitSettingsDto): Partial<PreviewSettings> {
    return {
      ...(previewsEnabled === undefined ? {} : { enabled: previewsEnabled }),
      ...(previewHours === undefined ? {} : { hours: previewHours }),
      ...(previewVariables === undefined ? {} : { variables: [...new Set(previewVariables)] }),
    };
  }
}
