import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiDefaultResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ErrorDto } from '../../http/panel-error-body.js';

/** The address of the former live page, which the console has replaced. */
@ApiTags('Realtime')
@Controller('docs/live')
export class LivePageController {
  @Get()
  @PublicRoute()
  @Redirect('/console/services', 302)
  @ApiOperation({
    operationId: 'getLivePage',
    summary: 'Watch services live',
    description:
      'The console shows services, their statuses and logs live. No credentials are needed for the redirect.',
  })
  @ApiResponse({ status: 302, description: 'Redirects to `/console/services`.' })
  @ApiDefaultResponse({ type: ErrorDto, description: 'An error.' })
  page(): void {
    // The decorator sends the redirect.
  }
}
