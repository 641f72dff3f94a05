/** How backups are made on this installation. */
export abstract class BackupSettings {
  abstract readonly dumpsAtOnce: number;
  abstract readonly restoresAtOnce: number;
  /** What a copy for a trial may have. */
  abstract readonly proofMemoryMb: number;
  abstract readonly proofCpuCores: number;
  /** Larger backups, as they lie in the store, are not tried. */
  abstract readonly proofMaxBytes: number;
  /** How long a dump, a trial or a restore may take. */
  abstract readonly timeoutMs: number;
  /** For how long a worker may be silent. */
  abstract readonly leaseMs: number;
}
