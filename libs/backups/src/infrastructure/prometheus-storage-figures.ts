import { Counter, Gauge, type Registry } from 'prom-client';
import type { Uuid } from '#kernel/crypto/uuid';
import { StorageFigures } from '../application/ports/storage-figures.js';

const SERVICE = ['service'] as const;

/** Exposes the figures to Prometheus. Times are Unix seconds, so that alerts can compare them with `time()`. */
export class PrometheusStorageFigures extends StorageFigures {
  readonly #destination: Gauge;
  readonly #lost: Counter;
  readonly #reach: Gauge<'service'>;
  readonly #broken: Gauge<'service'>;
  readonly #copyFailures: Gauge<'service'>;
  readonly #alarms: Gauge<'service' | 'code'>;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    const service = { registers, labelNames: SERVICE };
    this.#destination = new Gauge({ registers, name: 'backup_destination_up', help: '1: backups can be stored' });
    this.#lost = new Counter({ registers, name: 'backups_lost_total', help: 'Backups found missing or changed' });
    this.#reach = new Gauge({
      ...service,
      name: 'backup_recoverable_to_timestamp_seconds',
      help: 'The last moment that can be restored',
    });
    this.#broken = new Gauge({ ...service, name: 'backup_log_broken', help: '1: the archived log has a gap' });
    this.#copyFailures = new Gauge({
      ...service,
      name: 'backup_base_copy_failures',
      help: 'How often in a row the copy for point-in-time recovery failed',
    });
    this.#alarms = new Gauge({
      name: 'backup_alarm',
      help: '1 for each service whose backups cannot be relied on',
      labelNames: ['service', 'code'],
      registers: [registry],
    });
  }

  destination(works: boolean): void {
    this.#destination.set(works ? 1 : 0);
  }

  lost(count: number): void {
    this.#lost.inc(count);
  }

  reachesTo(service: Uuid, at: Date | null, isBroken: boolean): void {
    this.#reach.set({ service }, at === null ? 0 : at.getTime() / 1000);
    this.#broken.set({ service }, isBroken ? 1 : 0);
  }

  alarms(raised: readonly { readonly serviceId: Uuid; readonly code: string }[]): void {
    this.#alarms.reset();
    for (const { serviceId, code } of raised) this.#alarms.set({ service: serviceId, code }, 1);
  }

  copyFailures(service: Uuid, count: number): void {
    this.#copyFailures.set({ service }, count);
  }
}
