import { Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner } from '@nestjs/core';
import { RoutePolicyGate } from './route-policy-gate.js';
import { StopListening } from './stop-listening.js';

@Module({ imports: [DiscoveryModule], providers: [MetadataScanner, RoutePolicyGate, StopListening] })
export class HttpModule {}
