import { Ingress } from '../../application/ports/ingress/ingress.js';

/** Used if no ingress is configured. Services are reached by their published ports, and their `url` is null. */
export class NoIngress extends Ingress {
  readonly isOn = false;

  apply(): Promise<void> {
    return Promise.resolve();
  }

  isUntouched(): Promise<boolean> {
    return Promise.resolve(true);
  }

  certificateExpiresAt(): Promise<null> {
    return Promise.resolve(null);
  }
}
