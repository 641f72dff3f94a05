import { Injectable } from '@nestjs/common';
import { SecretText } from '#kernel/crypto/secret-text';
import { resolveText, type Command, type CommandResult } from '#libs/templates';
import type { TemplateSecrets } from '../../domain/templates/template-service.js';
import { ContainerExec } from '../ports/engine/container-exec.js';
import type { Operation } from '../ports/engine/container-runtime.js';

const TIMEOUT_MS = 30_000;

/** Runs the commands of templates in the containers of their services. */
@Injectable()
export class TemplateCommands {
  constructor(private readonly exec: ContainerExec) {}

  /** @throws RangeError if `secrets` lacks one that the command needs; the errors of `ContainerExec` */
  run(containerId: string, command: Command, secrets: TemplateSecrets, operation: Operation): Promise<CommandResult> {
    const clear = (name: string) => {
      const value = secrets.get(name);
      if (!value) throw new RangeError(`the template asks for the secret ${name}, which the service lacks`);
      return value.reveal();
    };
    const environment = new Map(
      Object.entries(command.environment).map(([name, text]) => [name, new SecretText(resolveText(text, clear))]),
    );
    return this.exec.run(containerId, { command: command.command, environment, timeoutMs: TIMEOUT_MS }, operation);
  }
}
