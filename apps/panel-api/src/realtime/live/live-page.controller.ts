import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NotFound } from '#kernel/errors';
import { PublicRoute } from '#platform/http/routing/route-policy';
import { ApiErrors } from '../../http/api-errors.decorator.js';

/** The files of the page; nothing else of the folder is served. */
const TYPES: Readonly<Record<string, string>> = {
  'live.html': 'text/html; charset=utf-8',
  'live.mjs': 'text/javascript; charset=utf-8',
  'live.css': 'text/css; charset=utf-8',
};

/** Nothing but its own two files, and connections to where it came from. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DESCRIPTION = 'A page that shows services, their statuses and a live log. The page itself needs no credentials.';

@ApiTags('Realtime')
@Controller('docs/live')
export class LivePageController {
  @Get()
  @PublicRoute()
  @ApiProduces('text/html')
  @ApiOperation({ operationId: 'getLivePage', summary: 'Watch services live', description: DESCRIPTION })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } }, description: 'The page.' })
  @ApiErrors(500)
  page(@Res() reply: FastifyReply): Promise<void> {
    return send(reply, 'live.html');
  }

  @Get(':file')
  @PublicRoute()
  @ApiProduces('text/javascript', 'text/css')
  @ApiParam({ name: 'file', enum: ['live.mjs', 'live.css'], description: 'File name of the asset.' })
  @ApiOperation({ operationId: 'getLivePagePart', summary: 'Get an asset of the page', description: DESCRIPTION })
  @ApiOkResponse({ content: { 'text/javascript': { schema: { type: 'string' } } }, description: 'The asset.' })
  @ApiErrors(404, 500)
  part(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    return send(reply, file);
  }
}

async function send(reply: FastifyReply, file: string): Promise<void> {
  const type = Object.hasOwn(TYPES, file) ? TYPES[file] : undefined;
  if (!type) throw new NotFound();
  const text = await readFile(new URL(file, FOLDER), 'utf8');
  await reply
    .headers({
      'content-type': type,
      'content-security-policy': POLICY,
      'cache-control': 'no-cache',
    })
    .send(text);
}

/** Beside the sources: from here, or from where they are built to. */
const FOLDER = ['../../../public/live/', '../../../../../../apps/panel-api/public/live/']
  .map((path) => new URL(path, import.meta.url))
  .find((folder) => existsSync(fileURLToPath(folder)))!;
