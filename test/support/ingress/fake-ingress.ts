import { Ingress, type IngressRoute } from '../../../libs/services/src/application/ports/ingress/ingress.js';

/** An ingress in memory that records its routes and all changes of them. */
export class FakeIngress extends Ingress {
  readonly isOn = true;
  routes: readonly IngressRoute[] = [];
  /** All states so far, oldest first. */
  readonly history: (readonly IngressRoute[])[] = [];
  failure: Error | null = null;
  certificateEnd: Date | null = null;
  isTouched = false;
  onChange: () => void = () => undefined;

  override async apply(routes: () => Promise<readonly IngressRoute[]>): Promise<void> {
    if (this.failure) throw this.failure;
    const wanted = await routes();
    this.isTouched = false;
    if (JSON.stringify(wanted) === JSON.stringify(this.routes)) return;
    this.routes = wanted;
    this.history.push(wanted);
    this.onChange();
  }

  override isUntouched(): Promise<boolean> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(!this.isTouched);
  }

  override certificateExpiresAt(): Promise<Date | null> {
    return Promise.resolve(this.certificateEnd);
  }
}
