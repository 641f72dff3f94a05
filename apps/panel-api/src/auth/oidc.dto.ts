import { ApiProperty } from '@nestjs/swagger';

export class OidcConfigDto {
  @ApiProperty({ description: 'Whether sign-in with an identity provider is available.', example: true })
  enabled: boolean;

  @ApiProperty({ type: String, nullable: true, example: 'https://id.example.com' })
  issuer: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'panel' })
  clientId: string | null;

  @ApiProperty({ type: [String], nullable: true, example: ['openid', 'email', 'profile'] })
  scopes: string[] | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://panel.example.com/api/v1/auth/oidc/login' })
  loginUrl: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://panel.example.com/api/v1/auth/oidc/logout' })
  logoutUrl: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'https://panel.example.com/api/v1/auth/oidc/callback' })
  callbackUrl: string | null;

  @ApiProperty({ description: 'Whether POST /auth/login exists.', example: false })
  legacyLoginEnabled: boolean;
}

export class LogoutDto {
  @ApiProperty({
    description: 'Where to send the browser to end the session at the identity provider too.',
    example: 'https://id.example.com/session/end?id_token_hint=…',
  })
  redirect_url: string;
}
