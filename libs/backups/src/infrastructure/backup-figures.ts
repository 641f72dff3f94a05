import { Gauge, type Registry } from 'prom-client';
import type { BackupRepository } from '../application/ports/backup-repository.js';

/** Metric of the age of the newest verified backup of each service, for alerts on old or missing verifications. */
export class BackupFigures {
  constructor(registry: Registry, backups: BackupRepository) {
    new Gauge({
      name: 'backup_newest_verified_age_seconds',
      help: 'Age of the newest verified backup, by service. A service without one has no line.',
      labelNames: ['service'],
      registers: [registry],
      async collect() {
        // The other metrics must be exposed even when the database does not answer.
        const proofs = await backups.newestProofs().catch(() => []);
        this.reset();
        for (const { serviceId, ageSeconds } of proofs) this.set({ service: serviceId }, ageSeconds);
      },
    });
  }
}
