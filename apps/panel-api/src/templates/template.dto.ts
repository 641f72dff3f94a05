import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Template, TemplateVariable } from '#libs/templates';

const TIME = { type: String, format: 'date-time', example: '2026-11-24T00:00:00.000Z' };

export class TemplateVariableDto {
  @ApiProperty({ example: 'DB_NAME' })
  name: string;

  @ApiProperty({ enum: ['string', 'password'], enumName: 'TemplateVariableType', example: 'string' })
  type: TemplateVariable['type'];

  @ApiProperty({ example: 'Database' })
  label: string;

  @ApiProperty({ description: 'Whether a value is required, given or generated.', example: false })
  required: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'app' })
  default: string | null;

  @ApiProperty({ example: 'The database that is created first.' })
  description: string;

  @ApiProperty({ description: 'A regular expression that the value must match.', example: '^[a-z_][a-z0-9_]{0,62}$' })
  pattern: string;

  @ApiProperty({ description: 'Whether an empty value is generated at deploy time.', example: false })
  generated: boolean;

  @ApiProperty({ description: 'False if the value is accepted but has no effect in this template.', example: true })
  applies: boolean;

  static of(variable: TemplateVariable): TemplateVariableDto {
    const { name, type, label, required, default: given, description, pattern, generated, applies } = variable;
    return { name, type, label, required, default: given, description, pattern, generated, applies };
  }
}

class TemplateVolumeDto {
  @ApiProperty({ example: 'data' })
  name: string;

  @ApiProperty({ example: '/var/lib/postgresql/data' })
  path: string;
}

class TemplatePortDto {
  @ApiProperty({ type: 'integer', example: 5432 })
  port: number;

  @ApiProperty({ enum: ['http', 'grpc', 'tcp'], enumName: 'TemplateProtocol', example: 'tcp' })
  protocol: 'http' | 'grpc' | 'tcp';

  @ApiProperty({
    enum: ['internal', 'https'],
    enumName: 'TemplateExposure',
    description: '`internal`: reachable from the same container network; `https`: also on a domain of the service.',
    example: 'internal',
  })
  exposure: 'internal' | 'https';
}

class TemplateBackupDto {
  @ApiProperty({ description: "The database's own tool.", example: 'pg_dump' })
  method: string;

  @ApiProperty({ description: 'Point-in-time recovery.', example: true })
  supportsPitr: boolean;
}

export class TemplateDto {
  @ApiProperty({ type: String, format: 'uuid', example: '6f0c4b52-8a1e-4c39-9d56-0a1f5e7c1001' })
  id: Uuid;

  @ApiProperty({ description: 'A readable name; routes take the id.', example: 'postgresql' })
  slug: string;

  @ApiProperty({ example: 'PostgreSQL' })
  name: string;

  @ApiProperty({ example: 'Advanced open-source relational database.' })
  description: string;

  @ApiProperty({ example: 'database' })
  category: string;

  @ApiProperty({ example: 'postgresql' })
  kind: string;

  @ApiProperty({ example: '16' })
  version: string;

  @ApiProperty({ example: 'docker.io/library/postgres:16-bookworm' })
  image: string;

  @ApiProperty({ type: 'integer', example: 5432 })
  defaultPort: number;

  @ApiProperty({
    type: 'integer',
    description: 'The minimum memory of a service. Requests for less are refused.',
    example: 256,
  })
  minRamMb: number;

  @ApiProperty({ description: 'A login is always required, and no port is published.', example: 'secure' })
  security: string;

  @ApiProperty({ type: [String], example: ['sql', 'relational'] })
  tags: readonly string[];

  @ApiProperty({ example: 'https://www.postgresql.org/docs/16/' })
  documentationUrl: string;

  @ApiProperty({ type: [TemplateVariableDto] })
  variables: readonly TemplateVariableDto[];

  @ApiProperty({ type: [TemplateVolumeDto] })
  volumes: readonly TemplateVolumeDto[];

  @ApiProperty({ type: [TemplatePortDto] })
  ports: readonly TemplatePortDto[];

  @ApiProperty({ type: TemplateBackupDto })
  backup: TemplateBackupDto;

  @ApiProperty(TIME)
  createdAt: Date;

  @ApiProperty(TIME)
  updatedAt: Date;

  /** @param image the full reference */
  static of(template: Template, image: string): TemplateDto {
    const { id, slug, name, description, category, kind, version, defaultPort, minRamMb, security } = template;
    const { tags, documentationUrl, volumes, ports, backup, createdAt, updatedAt } = template;
    const variables = template.variables.map((variable) => TemplateVariableDto.of(variable));
    return {
      id,
      slug,
      name,
      description,
      category,
      kind,
      version,
      image,
      defaultPort,
      minRamMb,
      security,
      tags,
      documentationUrl,
      variables,
      volumes,
      ports,
      backup,
      createdAt,
      updatedAt,
    };
  }
}

export class TemplateListDto {
  @ApiProperty({ type: [TemplateDto] })
  data: readonly TemplateDto[];
}
