import { Controller, HttpCode, Post, Req, Res, type OnModuleDestroy } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#libs/panel-auth';
import { CurrentCaller } from '../http/caller.decorator.js';
import { McpAccess, type McpArea } from './access/mcp-access.js';
import { McpAccesses } from './access/mcp-accesses.js';
import { McpOrigins } from './access/mcp-origins.js';
import { McpRoute } from './mcp-route.decorator.js';
import { McpServers } from './mcp-servers.js';

const BATCH_REFUSED = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'Batches are not supported: send one message per request.' },
};
/** The headers that are passed to the protocol library. Credentials are not. */
const PASSED_ON = /^(?:accept|content-type|user-agent|mcp-.*)$/;

/**
 * The Model Context Protocol over Streamable HTTP, for the revisions of 2026-07-28 and 2025-11-25. It is
 * stateless: every request is authenticated, so a revoked key is refused at once. It is not part of the OpenAPI
 * document, because the protocol describes its tools itself.
 */
@ApiExcludeController()
@Controller('mcp')
export class McpController implements OnModuleDestroy {
  readonly #handler: McpHttpHandler;

  constructor(
    private readonly accesses: McpAccesses,
    private readonly origins: McpOrigins,
    servers: McpServers,
  ) {
    this.#handler = createMcpHandler(
      ({ authInfo }) => {
        const access = authInfo?.extra?.['access'];
        if (!(access instanceof McpAccess)) throw new Error('an MCP request without a caller');
        return servers.for(access);
      },
      // The server sends no notifications, so there is nothing to subscribe to.
      { maxSubscriptions: 0 },
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.#handler.close();
  }

  @Post('admin')
  @HttpCode(200)
  @McpRoute('panel')
  admin(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer('admin', caller, request, reply);
  }

  @Post('tenant')
  @HttpCode(200)
  @McpRoute('binding')
  tenant(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.answer('tenant', caller, request, reply);
  }

  private async answer(area: McpArea, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    this.origins.assertAllowed(request);
    const access = await this.accesses.of(caller, area);
    if (Array.isArray(request.body)) {
      reply.code(400).send(BATCH_REFUSED);
      return;
    }
    const { signal, release } = endOf(reply);
    try {
      const asked = new Request(`http://${request.host}${request.url}`, {
        method: 'POST',
        headers: passedOn(request),
        signal,
        body: JSON.stringify(request.body ?? null),
      });
      const authInfo = { token: '', clientId: access.keyId, scopes: [], extra: { access } };
      const answer = await this.#handler.fetch(asked, { authInfo, parsedBody: request.body ?? null });
      reply.code(answer.status);
      for (const [name, value] of answer.headers) reply.header(name, value);
      reply.send(await answer.text());
    } finally {
      release();
    }
  }
}

function passedOn({ headers }: FastifyRequest): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (PASSED_ON.test(name) && typeof value === 'string') passed.set(name, value);
  }
  return passed;
}

/** A signal that aborts the work once the client has disconnected. */
function endOf({ raw }: FastifyReply): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const leave = () => controller.abort();
  raw.once('close', leave);
  return { signal: controller.signal, release: () => raw.off('close', leave) };
}
