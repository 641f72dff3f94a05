import { Gauge, type Registry } from 'prom-client';
import type { BackupRepository } from '../application/ports/backup-repository.js';

/** What Prometheus is told of backups: an old proof, or none, is an alarm. */
export class BackupFigures {
  constructor(registry: Registry, backups: BackupRepository) {
    new Gauge({
      name: 'backup_newest_verified_age_seconds',
      help: 'Age of the newest verified backup, by service. A service without one has no line.',
      labelNames: ['service'],
      registers: [registry],
      async collect() {
        // A database that does not answer must not take the other figures away.
        const proofs = await backups.newestProofs().catch(() => []);
        this.reset();
        for (const { serviceId, ageSeconds } of proofs) this.set({ service: serviceId }, ageSeconds);
      },
    });
  }
}
