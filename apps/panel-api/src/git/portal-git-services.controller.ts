import { Body, Inject, Param } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import type { Caller } from '#libs/panel-auth';
import { PushHooks } from '#libs/services';
import { CurrentCaller } from '../http/caller.decorator.js';
import { PathId } from '../http/path-values.js';
import { PortalController } from '../portal/portal-controller.decorator.js';
import { CallerScope } from '../services/caller-scope.js';
import { PORTAL } from '../services/route-area.js';
import type { AcceptedActionDto, AcceptedServiceDto } from '../services/service.dto.js';
import { DeployRefDto, NewGitServiceDto } from './create-git-service.dto.js';
import { GitRequests } from './git-requests.js';
import { CreateGitService, DeleteHook, DeployRef, GetHook, ListDeliveries, MakeHook, Redeliver } from './git-routes.js';
import { HOOK_BASE, hookAnswer, madeHookAnswer } from './hook-urls.js';
import {
  HookDeliveryDto,
  type DeliveryAnswerDto,
  type HookDeliveriesDto,
  type HookDto,
  type MadeHookDto,
} from './hook.dto.js';

@PortalController('services')
export class PortalGitServicesController {
  constructor(
    private readonly requests: GitRequests,
    private readonly hooks: PushHooks,
    private readonly scope: CallerScope,
    @Inject(HOOK_BASE) private readonly base: string,
  ) {}

  @CreateGitService(PORTAL)
  async create(@CurrentCaller() caller: Caller, @Body() body: NewGitServiceDto): Promise<AcceptedServiceDto> {
    return this.requests.create(caller, body, this.scope.home(caller));
  }

  @DeployRef(PORTAL)
  async deploy(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Body() body: DeployRefDto,
  ): Promise<AcceptedActionDto> {
    return this.requests.deploy(caller, await this.scope.ofHome(caller), id, body);
  }

  @MakeHook(PORTAL)
  async makeHook(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<MadeHookDto> {
    return madeHookAnswer(this.base, await this.hooks.make(await this.scope.ofHome(caller), id));
  }

  @GetHook(PORTAL)
  async hook(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<HookDto> {
    return hookAnswer(this.base, await this.hooks.show(await this.scope.ofHome(caller), id));
  }

  @DeleteHook(PORTAL)
  async removeHook(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<void> {
    await this.hooks.remove(await this.scope.ofHome(caller), id);
  }

  @ListDeliveries(PORTAL)
  async deliveries(@CurrentCaller() caller: Caller, @Param('id', PathId) id: Uuid): Promise<HookDeliveriesDto> {
    const found = await this.hooks.deliveries(await this.scope.ofHome(caller), id);
    return { data: found.map((delivery) => HookDeliveryDto.of(delivery)) };
  }

  @Redeliver(PORTAL)
  async redeliver(
    @CurrentCaller() caller: Caller,
    @Param('id', PathId) id: Uuid,
    @Param('deliveryId', PathId) deliveryId: Uuid,
  ): Promise<DeliveryAnswerDto> {
    return this.requests.redeliver(caller, await this.scope.ofHome(caller), id, deliveryId);
  }
}
