import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpRefusal } from '#platform/problem';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { PanelLimits } from '../../http/panel-limits.js';
import { assertCanWatch } from '../channels/caller-view.js';
import { RealtimeGateway } from '../socket/realtime-gateway.js';
import { SocketAuthentication } from './socket-authentication.js';
import { offeredUpgrade } from './upgrades.js';

/** Not part of the OpenAPI document, which cannot describe protocol upgrades. */
@Controller(['ws', 'api/v1/ws'])
export class UpgradeController {
  constructor(
    private readonly authentication: SocketAuthentication,
    private readonly limits: PanelLimits,
    private readonly gateway: RealtimeGateway,
  ) {}

  @Get()
  @PublicRoute()
  @ApiExcludeEndpoint()
  async open(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const offer = offeredUpgrade(request.raw);
    if (!offer)
      throw new HttpRefusal(426, 'This address only accepts WebSocket connections.', { upgrade: 'websocket' });
    const presented = await this.authentication.atUpgrade(request);
    if (presented) assertCanWatch(presented.caller);
    else await this.limits.countAnonymous(request.ip);
    this.gateway.assertRoom(request, presented);
    assertHandshake(request);
    if (offer.socket.destroyed) return;
    reply.hijack();
    offer.take();
    this.gateway.accept(request, offer, presented);
  }
}

/** Checks that the library makes too, repeated here to answer with our error body. */
function assertHandshake({ headers }: FastifyRequest): void {
  if (headers['sec-websocket-version'] !== '13') {
    throw new HttpRefusal(426, 'Only version 13 of the WebSocket protocol is supported.', {
      'sec-websocket-version': '13',
    });
  }
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    throw new HttpRefusal(400, 'Sec-WebSocket-Key must be 16 bytes in base64.');
  }
}
