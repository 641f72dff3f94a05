import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

@Controller()
class HelloController {
  @Get('ready')
  hello(): object {
    return { hello: 'world' };
  }
}

@Module({ controllers: [HelloController] })
class HelloModule {}

/** A minimal Nest application. */
const app = await NestFactory.create(HelloModule, new FastifyAdapter(), { logger: false });
process.once('SIGTERM', () => process.exit(0));
await app.listen(Number(process.env.PORT), '127.0.0.1');
