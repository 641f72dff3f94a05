import type { INestApplicationContext } from '@nestjs/common';
import type { Clock } from '#kernel/time/clock';

export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of a command: the streams and settings of the process, or those of a test. */
export interface Terminal {
  readonly env: Env;
  readonly out: NodeJS.WriteStream;
  readonly err: NodeJS.WriteStream;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Defaults to the system clock. */
  readonly clock?: Clock;
  /** A running application to use. Without it, each command starts and closes its own. */
  readonly application?: INestApplicationContext;
}
