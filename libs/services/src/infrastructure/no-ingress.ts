import { Ingress } from '../application/ports/ingress.js';

/** No ingress is configured: services are reached by their published ports, and their `url` is null. */
export class NoIngress extends Ingress {
  route(): Promise<void> {
    return Promise.resolve();
  }
}
