import { Controller, Get, Header, Inject, Redirect } from '@nestjs/common';
import { ApiDefaultResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { OpenApiSource } from '#platform/openapi/openapi-source';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { ErrorDto } from '../http/panel-error-body.js';

const DESCRIPTION = 'OpenAPI 3.0, generated from the routes of this server. No credentials are needed.';

@ApiTags('Contract')
@Controller('api/v1')
export class OpenApiController {
  constructor(@Inject(OpenApiSource) private readonly source: OpenApiSource) {}

  @Get('openapi.yaml')
  @PublicRoute()
  @ApiErrors(429)
  @Header('content-type', 'application/yaml; charset=utf-8')
  @ApiProduces('application/yaml')
  @ApiOperation({ operationId: 'getOpenApiYaml', summary: 'Get this document as YAML', description: DESCRIPTION })
  @ApiOkResponse({ content: { 'application/yaml': { schema: { type: 'string' } } }, description: 'The document.' })
  yaml(): string {
    return this.source.yaml();
  }

  @Get('openapi.json')
  @PublicRoute()
  @ApiErrors(429)
  @ApiOperation({ operationId: 'getOpenApiJson', summary: 'Get this document as JSON', description: DESCRIPTION })
  @ApiOkResponse({ content: { 'application/json': { schema: { type: 'object' } } }, description: 'The document.' })
  json(): object {
    return this.source.document();
  }
}

/** Redirects `/` to the console, for browsers and after a sign-in or sign-out. */
@ApiTags('Contract')
@Controller()
export class HomeController {
  @Get()
  @PublicRoute()
  @Redirect('/console', 302)
  @ApiOperation({
    operationId: 'getHome',
    summary: 'Open the console',
    description: 'The console is at `/console`. No credentials are needed.',
  })
  @ApiResponse({ status: 302, description: 'Redirects to `/console`.' })
  @ApiDefaultResponse({ type: ErrorDto, description: 'An error.' })
  home(): void {
    // The decorator sends the redirect.
  }
}
