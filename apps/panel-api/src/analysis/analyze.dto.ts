import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '#platform/http/validation/text.decorator';

@ApiSchema({ name: 'AnalyzeRepository' })
export class AnalyzeRepositoryDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 1024,
    description: 'An https address without credentials.',
    example: 'https://github.com/acme/shop',
  })
  @IsText({ min: 1, max: 1024, trim: true })
  repo_url: string;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    maxLength: 255,
    description: 'A branch or tag. Defaults to `main`, or `master` if there is no `main`.',
    example: 'main',
  })
  @IsOptional()
  @IsText({ min: 1, max: 255 })
  branch?: string | null;

  @ApiProperty({
    type: String,
    required: false,
    nullable: true,
    description: 'A full commit id. Defaults to the newest commit of the branch.',
    example: '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d',
  })
  @IsOptional()
  @IsText({ min: 1, max: 64 })
  commit_sha?: string | null;
}
