import { parseUuid, type Uuid } from '#kernel/crypto/uuid';
import type { Permission } from '#libs/panel-auth';
import { FEED_EVENT_TYPES, type FeedEventType } from '#libs/services';

export type Channel = { readonly name: string } & (
  | { readonly kind: 'services'; readonly id: null }
  | { readonly kind: 'service' | 'deployment'; readonly id: Uuid }
  | { readonly kind: 'logs'; readonly id: Uuid }
  | { readonly kind: 'analysis'; readonly id: Uuid }
);
export type ChannelKind = Channel['kind'];

export const CHANNEL_PERMISSION: Readonly<Record<ChannelKind, Permission>> = {
  services: 'services:read',
  service: 'services:read',
  logs: 'services.logs:read',
  deployment: 'deployments:read',
  analysis: 'analysis:read',
};

/** Null for an unknown name. Clients then get the same answer as for a resource that does not exist. */
export function parseChannel(name: string): Channel | null {
  if (name === 'services') return { kind: 'services', id: null, name };
  const [subject, text, part, ...more] = name.split(':');
  const id = parseUuid(text);
  if (!id || more.length > 0) return null;
  if (subject === 'service' && part === undefined) return { kind: 'service', id, name: `service:${id}` };
  if (subject === 'service' && part === 'logs') return { kind: 'logs', id, name: `service:${id}:logs` };
  if (subject === 'deployment' && part === undefined) return { kind: 'deployment', id, name: `deployment:${id}` };
  if (subject === 'analysis' && part === undefined) return { kind: 'analysis', id, name: `analysis:${id}` };
  return null;
}

/** The permission needed to receive an event. It can be stricter than that of the channel. */
export function permissionOf(type: FeedEventType): Permission {
  if (type === 'deployment.log') return 'services.logs:read';
  if (type === 'backup.status') return 'backups:read';
  return type.startsWith('deployment.') ? 'deployments:read' : 'services:read';
}

/** Channels of the feed of services. */
export type FeedChannelKind = Exclude<ChannelKind, 'logs' | 'analysis'>;

const ABOUT: Readonly<Record<FeedChannelKind, (type: FeedEventType) => boolean>> = {
  services: (type) => type.startsWith('service.'),
  service: (type) => type !== 'deployment.log',
  deployment: (type) => type.startsWith('deployment.'),
};

/** The events that a channel carries. */
export function eventTypesOf(kind: FeedChannelKind): readonly FeedEventType[] {
  return FEED_EVENT_TYPES.filter(ABOUT[kind]);
}
