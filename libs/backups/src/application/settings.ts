/** Limits for backups on this installation. */
export abstract class BackupSettings {
  abstract readonly dumpsAtOnce: number;
  abstract readonly restoresAtOnce: number;
  /** Upper limit for the memory of a trial server. */
  abstract readonly proofMemoryMb: number;
  abstract readonly proofCpuCores: number;
  /** Backups whose stored object is larger than this are not verified. */
  abstract readonly proofMaxBytes: number;
  /** How long a dump, a verification or a restore may take. */
  abstract readonly timeoutMs: number;
  /** How long a worker may fail to renew its lease before another one takes over. */
  abstract readonly leaseMs: number;
}
