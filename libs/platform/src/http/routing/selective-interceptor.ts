import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';

/** An interceptor that the request alone tells whether it is concerned. */
export abstract class SelectiveInterceptor implements NestInterceptor {
  /** Has no effect: it may be asked more than once, before the body is validated. */
  abstract concerns(request: FastifyRequest): boolean;
  abstract intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>;
}

type Intercept = InterceptorsConsumer['intercept'];

let installed = false;

/**
 * Lets requests pass by the interceptors that they do not concern. As soon as a route has an interceptor, Nest calls its
 * handler through three observables, also where the interceptor only passes the call on: a sixteenth of what issuing a
 * license costs the process. Nest has no place for such a decision, so its own method is preceded by one; with any
 * interceptor on the way that may be concerned it goes on as always.
 */
export function passByInterceptors(): void {
  if (installed) return;
  installed = true;
  const ordinary = Reflect.get<InterceptorsConsumer, 'intercept'>(InterceptorsConsumer.prototype, 'intercept');
  InterceptorsConsumer.prototype.intercept = function (
    this: InterceptorsConsumer,
    interceptors,
    args,
    instance,
    callback,
    next,
    type,
  ) {
    const request = args[0] as FastifyRequest;
    return type === 'http' && !interceptors.some((one) => isConcerned(one, request))
      ? next()
      : ordinary.call(this, interceptors, args, instance, callback, next, type);
  } as Intercept;
}

function isConcerned(interceptor: NestInterceptor, request: FastifyRequest): boolean {
  return !(interceptor instanceof SelectiveInterceptor) || interceptor.concerns(request);
}
