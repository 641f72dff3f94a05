import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { OpenApiSource } from '#platform/openapi/openapi-source';

const DESCRIPTION = 'OpenAPI 3.0, generated from the routes of this server. No token is needed.';
const YAML = { content: { 'application/yaml': { schema: { type: 'string' as const } } }, description: 'The document.' };
const JSON_ = {
  content: { 'application/json': { schema: { type: 'object' as const } } },
  description: 'The document.',
};

@ApiTags('Contract')
@Controller()
export class OpenApiController {
  constructor(@Inject(OpenApiSource) private readonly source: OpenApiSource) {}

  @Get('openapi.yaml')
  @PublicRoute()
  @Header('content-type', 'application/yaml; charset=utf-8')
  @ApiProduces('application/yaml')
  @ApiOperation({ operationId: 'getOpenApiYaml', summary: 'Get this document as YAML', description: DESCRIPTION })
  @ApiOkResponse(YAML)
  yaml(): string {
    return this.source.yaml();
  }

  @Get('openapi.json')
  @PublicRoute()
  @ApiOperation({ operationId: 'getOpenApiJson', summary: 'Get this document as JSON', description: DESCRIPTION })
  @ApiOkResponse(JSON_)
  json(): object {
    return this.source.document();
  }

  @Get('v1/openapi.yaml')
  @PublicRoute()
  @Header('content-type', 'application/yaml; charset=utf-8')
  @ApiProduces('application/yaml')
  @ApiOperation({
    operationId: 'getOpenApiYamlV1',
    summary: 'Get this document as YAML, under /v1',
    description: DESCRIPTION,
  })
  @ApiOkResponse(YAML)
  yamlBelowV1(): string {
    return this.source.yaml();
  }

  @Get('v1/openapi.json')
  @PublicRoute()
  @ApiOperation({
    operationId: 'getOpenApiJsonV1',
    summary: 'Get this document as JSON, under /v1',
    description: DESCRIPTION,
  })
  @ApiOkResponse(JSON_)
  jsonBelowV1(): object {
    return this.source.document();
  }
}
