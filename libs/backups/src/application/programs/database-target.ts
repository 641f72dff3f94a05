import type { TemplateInput } from '#libs/templates';
import type { TemplateSecrets } from '#libs/services';

/** A database server that runs in a container, and the credentials to log in. */
export interface DatabaseTarget {
  readonly containerId: string;
  /** The slug of the template that the service was made from. */
  readonly template: string;
  readonly input: TemplateInput;
  readonly secrets: TemplateSecrets;
  /** Stops the server's container and starts it again. */
  readonly restart: (signal: AbortSignal) => Promise<void>;
}
