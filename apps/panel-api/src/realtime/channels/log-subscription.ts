import type { Uuid } from '#kernel/crypto/uuid';
import type { FollowedLog, LogEntry, LogGap } from '#libs/services';
import type { Channel } from '../protocol/channel.js';
import { encode } from '../protocol/server-message.js';
import type { Connection, Subscription } from '../socket/connection.js';

const frames = new WeakMap<LogEntry, Buffer>();

/** Lines that were not sent. Their number is known only if this server dropped them. */
interface Missing {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly dropped: number | null;
  readonly reason: LogGap['reason'] | 'slow_client';
}

/** A subscription to a log. Lines are dropped while the client is slow, and the client is told which. */
export class LogSubscription implements Subscription {
  #followed: FollowedLog | null = null;
  #held: LogEntry[] = [];
  #missing: Missing | null = null;

  constructor(
    private readonly connection: Connection,
    readonly channel: Channel,
    readonly serviceId: Uuid,
    private readonly onEnd: () => void,
  ) {}

  get channelName(): string {
    return this.channel.name;
  }

  /** Takes a new line. Lines that arrive before `begin` are held back. */
  line(entry: LogEntry): void {
    if (!this.#followed) this.#held.push(entry);
    else this.pass(entry);
  }

  /** Sends the earlier lines, then those that were held back. */
  begin(followed: FollowedLog): void {
    this.#followed = followed;
    if (followed.gap) this.tellMissing({ ...followed.gap, dropped: null });
    for (const entry of followed.lines) this.pass(entry);
    for (const entry of this.#held) this.pass(entry);
    this.#held = [];
  }

  onRelief(): void {
    if (!this.#missing) return;
    this.tellMissing(this.#missing);
    this.#missing = null;
  }

  end(): void {
    this.#followed?.end();
    this.onEnd();
  }

  private pass(entry: LogEntry): void {
    if (this.connection.isSlow) {
      const before = this.#missing;
      this.#missing = {
        fromSeq: before?.fromSeq ?? entry.seq,
        toSeq: entry.seq,
        dropped: (before?.dropped ?? 0) + 1,
        reason: 'slow_client',
      };
      return;
    }
    this.onRelief();
    this.connection.sendLine(frameOf(entry, this.channel.name));
  }

  private tellMissing({ fromSeq, toSeq, dropped, reason }: Missing): void {
    this.connection.send({
      type: 'service.log.gap',
      channel: this.channel.name,
      seq: toSeq,
      at: new Date(Math.floor(toSeq / 1000)),
      data: { fromSeq, toSeq, dropped, reason },
    });
  }
}

/** A log has one channel, so each line is encoded once for all its subscribers. */
function frameOf(entry: LogEntry, channel: string): Buffer {
  const known = frames.get(entry);
  if (known) return known;
  const { seq, at, containerId, container, stream, text } = entry;
  const data = { containerId, container, stream, line: text };
  const frame = Buffer.from(encode({ type: 'service.log', channel, seq, at, data }));
  frames.set(entry, frame);
  return frame;
}
