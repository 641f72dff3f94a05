import { Injectable } from '@nestjs/common';
import { Unavailable } from '#kernel/errors';
import { type Command, NEW_PASSWORD, PASSWORD, resolveText } from '#libs/templates';
import { SecretText } from '#kernel/crypto/secret-text';
import type { TemplateSecrets } from '../../domain/templates/template-service.js';
import { ContainerRuntime, type Operation } from '../ports/engine/container-runtime.js';
import { FilesAfterStart } from '../ports/engine/container-runtime-errors.js';
import { TemplateServices } from '../ports/templates/template-services.js';
import { ServiceRecords } from '../service-records.js';
import { TemplateCommands } from './template-commands.js';
import type { KnownTemplate } from './template-source.js';

/** The container of a running database, with its stored secrets. */
export interface RunningDatabase {
  readonly known: KnownTemplate;
  readonly containerId: string;
  readonly secrets: TemplateSecrets;
}

/** A rotation that has ended. */
export interface EndedRotation {
  /** Those that are valid. */
  readonly secrets: TemplateSecrets;
  /** The files of the container still hold the old password: it needs to be deployed again before it restarts. */
  readonly hasOldFiles: boolean;
}

/**
 * Changes the password of a running database: first in the database, then in the files of its container, then in the
 * store. The new password was stored before, so a crash loses neither. `settle` then finds out which one is valid.
 */
@Injectable()
export class TemplateRotation {
  constructor(
    private readonly services: TemplateServices,
    private readonly commands: TemplateCommands,
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * Carries out a rotation that has been stored.
   * @throws Unavailable if the database does not accept the new password, or still accepts the old one
   */
  async change(database: RunningDatabase, next: SecretText, operation: Operation): Promise<EndedRotation> {
    const { template, input } = database.known;
    const change = template.changePassword?.(input);
    if (!change) throw new RangeError(`${template.slug} can only change its password with a new container`);
    const secrets = new Map([...database.secrets, [NEW_PASSWORD, next]]);
    const run = (command: Command) => this.commands.run(database.containerId, command, secrets, operation);
    await run(change).catch(() => undefined);
    const login = template.login(input, NEW_PASSWORD);
    if (!login.succeeded(await run(login))) {
      await this.end(database, database.secrets, operation);
      throw new Unavailable(
        'rotation_failed',
        'The database did not accept the new password; the old one is still valid.',
      );
    }
    const old = template.login(input, PASSWORD);
    if (old.succeeded(await run(old)))
      throw new Unavailable('rotation_failed', 'The database still accepts the old password; try again.');
    return this.end(database, withPassword(database.secrets, next), operation);
  }

  /** Completes a rotation after a crash, by asking the database which password is valid. */
  async settle(database: RunningDatabase, operation: Operation): Promise<EndedRotation> {
    const { known, containerId, secrets } = database;
    const rotation = await this.services.rotation(known.service.serviceId);
    if (!rotation) return { secrets, hasOldFiles: false };
    const login = known.template.login(known.input, NEW_PASSWORD);
    const both = new Map([...secrets, [NEW_PASSWORD, rotation.next]]);
    const isNew = login.succeeded(await this.commands.run(containerId, login, both, operation));
    return this.end(database, isNew ? withPassword(secrets, rotation.next) : secrets, operation);
  }

  private async end(
    { known, containerId }: RunningDatabase,
    secrets: TemplateSecrets,
    operation: Operation,
  ): Promise<EndedRotation> {
    const { template, input, service } = known;
    const clear = (name: string) => (secrets.get(name) ?? new SecretText('')).reveal();
    const files = template.recipe(input).files.map(({ path, content, uid, gid, mode }) => ({
      path,
      content: new SecretText(resolveText(content, clear)),
      uid,
      gid,
      mode,
    }));
    // The container reads them again when it restarts.
    const hasOldFiles = await this.runtime.putFiles(containerId, files, operation).then(() => false, ifAfterStart);
    await this.records.transactions.run(() =>
      this.services.endRotation(service.serviceId, secrets, this.records.clock.now()),
    );
    return { secrets, hasOldFiles };
  }
}

function ifAfterStart(error: unknown): true {
  if (error instanceof FilesAfterStart) return true;
  throw error;
}

export function withPassword(secrets: TemplateSecrets, password: SecretText): TemplateSecrets {
  return new Map([...secrets, [PASSWORD, password]]);
}
