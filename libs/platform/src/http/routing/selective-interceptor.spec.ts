import {
  Controller,
  HttpCode,
  Injectable,
  Post,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { map } from 'rxjs';
import { passByInterceptors, SelectiveInterceptor } from './selective-interceptor.js';

let seen: string[] = [];

@Injectable()
class OfThoseWithMark extends SelectiveInterceptor {
  concerns({ headers }: FastifyRequest): boolean {
    return headers['x-mark'] !== undefined;
  }

  intercept(_context: ExecutionContext, next: CallHandler) {
    seen.push('selective');
    return next.handle();
  }
}

@Injectable()
class OfAll implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    seen.push('ordinary');
    return next.handle().pipe(map((value: object) => ({ ...value, wrapped: true })));
  }
}

@Controller()
class Calls {
  @Post('selective')
  @HttpCode(202)
  @UseInterceptors(OfThoseWithMark)
  selective() {
    return Promise.resolve({ said: 'selective' });
  }

  @Post('both')
  @UseInterceptors(OfThoseWithMark, OfAll)
  both() {
    return { said: 'both' };
  }
}

describe('an interceptor that the request tells whether it is concerned', () => {
  let app: NestFastifyApplication;
  let url: string;

  beforeAll(async () => {
    passByInterceptors();
    passByInterceptors();
    const module = { module: class CallsModule {}, controllers: [Calls] };
    app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  });

  beforeEach(() => (seen = []));

  afterAll(() => app.close());

  const call = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}/${path}`, { method: 'POST', headers });
    return { status: answer.status, body: await answer.json() };
  };

  it('is passed by', async () => {
    expect(await call('selective')).toEqual({ status: 202, body: { said: 'selective' } });
    expect(seen).toEqual([]);
  });

  it('is called when it is concerned', async () => {
    expect(await call('selective', { 'x-mark': '1' })).toEqual({ status: 202, body: { said: 'selective' } });
    expect(seen).toEqual(['selective']);
  });

  it('takes no other with it', async () => {
    expect((await call('both')).body).toEqual({ said: 'both', wrapped: true });
    expect(seen).toContain('ordinary');
  });
});
