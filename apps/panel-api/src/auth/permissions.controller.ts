import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { PERMISSIONS, permissionsOf, type Caller, type Permission } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PanelRoute } from '../http/panel-route.decorator.js';

const PERMISSION_LIST = { enum: PERMISSIONS, enumName: 'Permission', isArray: true, example: ['services:read'] };

class RolePermissionsDto {
  @ApiProperty(PERMISSION_LIST)
  admin: Permission[];

  @ApiProperty(PERMISSION_LIST)
  customer: Permission[];
}

class PermissionsDto {
  @ApiProperty({ ...PERMISSION_LIST, description: 'A permission name.' })
  permissions: Permission[];

  @ApiProperty({ type: RolePermissionsDto, description: 'Permissions of each role.' })
  roles: RolePermissionsDto;

  @ApiProperty({ ...PERMISSION_LIST, description: "Permissions of this request's credential." })
  effective: Permission[];
}

@ApiTags('Identity')
@Controller('api/v1/permissions')
export class PermissionsController {
  @Get()
  @PanelRoute({ reach: 'self' })
  @ApiOperation({
    operationId: 'listPermissions',
    summary: 'List permissions',
    description: 'All permission names, the permissions of each role, and those of this credential.',
  })
  @ApiOkResponse({ type: PermissionsDto, description: 'The permissions.' })
  list(@CurrentCaller() caller: Caller): PermissionsDto {
    return {
      permissions: [...PERMISSIONS],
      roles: { admin: [...permissionsOf('admin')], customer: [...permissionsOf('customer')] },
      effective: PERMISSIONS.filter((permission) => caller.permissions.has(permission)),
    };
  }
}
