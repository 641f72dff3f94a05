import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Credentials, RotatedCredentials } from '#libs/services';

const MASKED = '********';

export class CredentialsDto {
  @ApiProperty({ description: 'From services on the same container network.', example: 'shop-database' })
  host: string;

  @ApiProperty({ type: 'integer', example: 5432 })
  port: number;

  @ApiProperty({ type: String, nullable: true, example: 'shop' })
  database: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'shop' })
  username: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: `\`${MASKED}\` unless it is revealed. Null where an API key takes its place.`,
    example: MASKED,
  })
  password: string | null;

  @ApiProperty({ example: `postgresql://shop:${MASKED}@shop-database:5432/shop` })
  connectionString: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'For the header `api-key`; only of databases that have one.',
    example: MASKED,
  })
  apiKey?: string;

  static of(credentials: Credentials): CredentialsDto {
    const { host, port, database, username, isApiKey } = credentials;
    const shown = credentials.password?.reveal() ?? MASKED;
    return {
      ...{ host, port, database, username },
      password: isApiKey ? null : shown,
      connectionString: credentials.connectionString(shown),
      ...(isApiKey ? { apiKey: shown } : {}),
    };
  }
}

export class RotatedCredentialsDto extends CredentialsDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Where only a new container takes the new key: its deployment. Null where it holds already.',
    example: null,
  })
  deploymentId: Uuid | null;

  static ofRotated({ credentials, deploymentId }: RotatedCredentials): RotatedCredentialsDto {
    return { ...CredentialsDto.of(credentials), deploymentId };
  }
}
