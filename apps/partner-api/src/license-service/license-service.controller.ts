import { Body, Controller, Get, Header, HttpCode, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { LicenseValidation } from '#libs/licensing';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { JwkSetDto, LicenseStateDto, ValidateKeyDto } from './license-state.dto.js';
import { ValidationRateGuard } from './validation-rate.guard.js';

/** The routes for running panels; they exist only with the local license service. */
@ApiTags('License service')
@Controller('license-service/v1')
@UseGuards(ValidationRateGuard)
export class LicenseServiceController {
  constructor(private readonly validation: LicenseValidation) {}

  @Post('validate')
  @HttpCode(200)
  @PublicRoute()
  @Header('cache-control', 'no-store')
  @ApiErrors([400, 413, 415, 422, 429, 500])
  @ApiOperation({
    operationId: 'validateLicenseKey',
    summary: 'Validate a license key',
    description:
      'Running panels call this in their validation cycle. No token is needed; 10 requests per second and ' +
      'address, bursts of 20. The response is 200 for every key and does not say why a key is invalid.',
  })
  @ApiOkResponse({ type: LicenseStateDto, description: 'The state of the key, also as a signed document.' })
  async validate(@Body() body: ValidateKeyDto): Promise<LicenseStateDto> {
    return LicenseStateDto.from(await this.validation.validate(body.key));
  }

  @Get('keys')
  @PublicRoute()
  @ApiErrors([429, 500])
  @ApiOperation({
    operationId: 'getLicenseServiceKeys',
    summary: 'List the public keys of signed license states',
    description: 'A JWK set (RFC 7517). No token is needed.',
  })
  @ApiOkResponse({ type: JwkSetDto, description: 'All active keys.' })
  async keys(): Promise<JwkSetDto> {
    return { keys: await this.validation.publicKeys() };
  }
}
