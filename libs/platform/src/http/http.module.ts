import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';
import { RoutePolicyGate } from './routing/route-policy-gate.js';
import { StopListening } from './fastify/stop-listening.js';

@Module({ imports: [DiscoveryModule], providers: [MetadataScanner, RoutePolicyGate, StopListening] })
export class HttpModule {}
