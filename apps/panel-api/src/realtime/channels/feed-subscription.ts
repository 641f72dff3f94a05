import type { Uuid } from '#kernel/crypto/uuid';
import type { FeedEntry } from '#libs/services';
import { permissionOf, type Channel, type FeedChannelKind } from '../protocol/channel.js';
import { encode } from '../protocol/server-message.js';
import type { Connection, Subscription } from '../socket/connection.js';
import type { CallerView } from './caller-view.js';

export type FeedChannel = Extract<Channel, { kind: FeedChannelKind }>;

/** A subscription to events of all visible services, of one service, or of one deployment. */
export class FeedSubscription implements Subscription {
  /** Events that arrived before the subscription was confirmed. Null after that. */
  #held: (() => void)[] | null = [];

  constructor(
    readonly connection: Connection,
    readonly channel: FeedChannel,
    /** The service of the channel; null for all of them. */
    readonly serviceId: Uuid | null,
    public view: CallerView,
    private readonly onEnd: (subscription: FeedSubscription) => void,
  ) {}

  get channelName(): string {
    return this.channel.name;
  }

  mayLearnOf({ type, customerId }: FeedEntry): boolean {
    return this.view.permissions.has(permissionOf(type)) && this.view.scope.includes(customerId);
  }

  tell(frame: Buffer): void {
    const send = () => this.connection.sendEncoded(frame);
    if (this.#held) this.#held.push(send);
    else send();
  }

  /** Sends the events held back. From now on, events are sent at once. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = null;
    for (const send of held) send();
  }

  end(): void {
    this.onEnd(this);
  }
}

export function eventFrame(channel: string, { type, seq, at, data }: FeedEntry): Buffer {
  return Buffer.from(encode({ type, channel, seq, at: new Date(at), data }));
}
