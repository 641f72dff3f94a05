import { z } from 'zod';
import type { Uuid } from '#kernel/crypto/uuid';
import { PermissionMissing, type Permission } from '#libs/panel-auth';
import type { ServiceRequests } from '../../services/service-requests.js';
import { ConfirmationRequired } from '../output/tool-error.js';
import { accepted, confirm, serviceId } from './schemas.js';
import { CHANGES, tool, type OfferedTool } from './tool.js';

const ACTIONS = ['start', 'stop', 'restart', 'redeploy', 'suspend', 'unsuspend'] as const;
type Action = (typeof ACTIONS)[number];

const PERMISSION: Readonly<Record<Action, Permission>> = {
  start: 'services:control',
  stop: 'services:control',
  restart: 'services:control',
  redeploy: 'services:deploy',
  suspend: 'services:suspend',
  unsuspend: 'services:suspend',
};

const EFFECT: Readonly<Record<Action, string>> = {
  start: 'The containers will start.',
  stop: 'The containers will stop; the service is down until it is started.',
  restart: 'The containers will stop and start again; the service is down for a moment.',
  redeploy: 'The images will be pulled and the containers replaced; data in volumes stays.',
  suspend: 'The service will stop and cannot be started until it is unsuspended.',
  unsuspend: 'The service will run again if it was running before.',
};

export function controlTools(requests: ServiceRequests): readonly OfferedTool[] {
  return [
    tool({
      name: 'control_service',
      title: 'Control a service',
      description: 'Starts, stops, restarts, redeploys, suspends or unsuspends a service. Needs confirm: true.',
      anyOf: ['services:control', 'services:deploy', 'services:suspend'],
      input: z.object({ serviceId, action: z.enum(ACTIONS), confirm }),
      output: accepted,
      annotations: { ...CHANGES, idempotentHint: true },
      target: ({ serviceId, action }) => `${serviceId} ${action}`,
      run: async ({ caller, scope, permissions, area }, { serviceId, action, confirm }) => {
        // Only administrators may suspend services, as in the portal.
        const isOffered = area === 'admin' || PERMISSION[action] !== 'services:suspend';
        if (!isOffered || !permissions.has(PERMISSION[action])) throw new PermissionMissing();
        await requests.get(scope, serviceId as Uuid);
        if (confirm !== true) throw new ConfirmationRequired(EFFECT[action]);
        return requests.act(caller, scope, serviceId as Uuid, action);
      },
    }),
  ];
}
