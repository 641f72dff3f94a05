import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Credentials, RotatedCredentials } from '#libs/services';

const MASKED = '********';

export class CredentialsDto {
  @ApiProperty({ description: 'Host name for services on the same container network.', example: 'shop-database' })
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
    description: `\`${MASKED}\` unless revealed. Null if the database uses an API key.`,
    example: MASKED,
  })
  password: string | null;

  @ApiProperty({ example: `postgresql://shop:${MASKED}@shop-database:5432/shop` })
  connectionString: string;

  @ApiProperty({
    type: String,
    required: false,
    description: 'For the header `api-key`; only for databases that use one.',
    example: MASKED,
  })
  apiKey?: string;

  static of(credentials: Credentials): CredentialsDto {
    const { host, port, database, username, isApiKey } = credentials;
    const shown = credentials.password?.reveal() ?? MASKED;
    return {
      host,
      port,
      database,
      username,
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
    description:
      'The deployment that gives the new password to a new container: for Qdrant, and for every database in a swarm. ' +
      'Null if no new container is needed.',
    example: null,
  })
  deploymentId: Uuid | null;

  static ofRotated({ credentials, deploymentId }: RotatedCredentials): RotatedCredentialsDto {
    return { ...CredentialsDto.of(credentials), deploymentId };
  }
}
