import { Queue } from 'bullmq';
import { connectQueue, type QueueOptions } from './queue.module.js';

/** @throws if the queue does not respond, or its tables are missing */
export async function askQueue(options: QueueOptions): Promise<void> {
  const { connection, pool } = connectQueue(options);
  const queue = new Queue('housekeeping', { connection });
  queue.on('error', () => undefined);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within 3 s')), 3_000);
  });
  try {
    await Promise.race([queue.getJobCounts('waiting'), timeout]);
  } finally {
    clearTimeout(timer);
    await queue.close().catch(() => undefined);
    await pool?.end();
  }
}
