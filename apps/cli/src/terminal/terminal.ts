import type { INestApplicationContext } from '@nestjs/common';
import type { Clock } from '#kernel/time/clock';

export type Env = Readonly<Record<string, string | undefined>>;

/** What a command runs in: the process's own streams and settings, or a test's. */
export interface Terminal {
  readonly env: Env;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The system's clock unless given. */
  readonly clock?: Clock;
  /** One that runs already and goes on running; unless given, each command starts one of its own and ends it. */
  readonly application?: INestApplicationContext;
}
