import { Injectable, type OnModuleInit } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { StartRefused } from '../../start-refused.js';
import { ROUTE_POLICY } from './route-policy.js';

/** Refuses to start if a route does not declare who may call it, so that no route is public by accident. */
@Injectable()
export class RoutePolicyGate implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => {
      const prototype = (metatype as { prototype: Record<string, object> } | null)?.prototype;
      if (!metatype || !prototype) return [];
      return this.scanner
        .getAllMethodNames(prototype)
        .filter((name) => Reflect.hasMetadata(PATH_METADATA, prototype[name] as object))
        .filter((name) => !Reflect.hasMetadata(ROUTE_POLICY, prototype[name] as object))
        .map((name) => `${metatype.name}.${name}`);
    });
    if (open.length > 0) throw new StartRefused(`Routes without a policy: ${open.join(', ')}.`);
  }
}
