import { ApiParam } from '@nestjs/swagger';

/** The id of a service in a path. Anything but a UUID is 404. */
export function ServiceIdParam(): MethodDecorator {
  return ApiParam({ name: 'id', format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' });
}
