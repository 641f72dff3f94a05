import type { Uuid } from '#kernel/crypto/uuid';

export interface LeaseHolder {
  renew(id: Uuid, worker: Uuid, leaseMs: number): Promise<void>;
}

/** Three renewals per lease, so that two in a row may fail. */
const PARTS = 3;

/**
 * Runs `work` and renews the lease meanwhile. Its signal aborts when the lease is lost, after `limits.timeoutMs`, or
 * when `limits.signal` aborts.
 */
export async function whileLeased<T>(
  holder: LeaseHolder,
  lease: { readonly id: Uuid; readonly worker: Uuid; readonly leaseMs: number },
  limits: { readonly signal: AbortSignal; readonly timeoutMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let silentSince = performance.now();
  const renewal = setInterval(() => {
    holder.renew(lease.id, lease.worker, lease.leaseMs).then(
      () => (silentSince = performance.now()),
      (error: unknown) => {
        const isOver = error instanceof Error && error.name === 'BackupLeaseLost';
        if (isOver || performance.now() - silentSince > lease.leaseMs) lost.abort(error);
      },
    );
  }, lease.leaseMs / PARTS);
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  try {
    return await work(AbortSignal.any([limits.signal, lost.signal, timeout]));
  } finally {
    clearInterval(renewal);
  }
}
