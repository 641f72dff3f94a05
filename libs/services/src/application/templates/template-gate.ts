import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  generatedPassword,
  PASSWORD,
  TemplateCatalog,
  versionNumbers,
  versionRefusal,
  WRONG_PASSWORD,
  type CommandResult,
} from '#libs/templates';
import { parseImageReference } from '../../domain/compose/values/image-reference.js';
import { DeployFailure } from '../../domain/deploying/deploy-failure.js';
import type { ServiceState } from '../../domain/service-state.js';
import type { TemplateSecrets } from '../../domain/templates/template-service.js';
import type { ContainerIds } from '../controlling/group-operator.js';
import { ContainerRuntime, type LocalImage, type Operation } from '../ports/engine/container-runtime.js';
import { TemplateServices } from '../ports/templates/template-services.js';
import { ServiceRecords } from '../service-records.js';
import { TemplateCommands } from './template-commands.js';
import { TemplateRotation } from './template-rotation.js';
import { type KnownTemplate, TemplateSource } from './template-source.js';

/** A server that has just become healthy may still refuse the first login. */
const LOGIN_TRIES = 5;
const LOGIN_PAUSE_MS = 500;

/** Additional checks of the health gate for databases: the login works, and the settings are in effect. */
@Injectable()
export class TemplateGate {
  constructor(
    private readonly source: TemplateSource,
    private readonly services: TemplateServices,
    private readonly commands: TemplateCommands,
    private readonly rotation: TemplateRotation,
    private readonly catalog: TemplateCatalog,
    private readonly runtime: ContainerRuntime,
    private readonly records: ServiceRecords,
  ) {}

  /**
   * Refuses an image whose server is older than the one that wrote the data, or of another series. Called before
   * containers are touched. The refused image loses its tag, so that the next redeployment asks the registry again.
   * Does nothing for services that were not created from a template.
   * @throws DeployFailure `validation_failed`
   */
  async admit(state: ServiceState, images: ReadonlyMap<string, LocalImage>, operation: Operation): Promise<void> {
    const known = await this.source.find(state);
    if (!known) return;
    const refusal = refusalOf(known, images.get(known.service.serviceName));
    if (!refusal) return;
    const tag = parseImageReference(this.catalog.referenceOf(known.service.image));
    if (tag) await this.runtime.removeTag(tag, operation);
    throw new DeployFailure('validation_failed', `${refusal.slug}: ${refusal.message}`);
  }

  /**
   * Checks the login and the settings, and stores the version of the server. Does nothing for services that were not
   * created from a template.
   * @throws DeployFailure `health_gate_failed`
   */
  async prove(state: ServiceState, ids: ContainerIds, operation: Operation): Promise<void> {
    const known = await this.source.find(state);
    const containerId = known && ids.get(known.service.serviceName);
    if (!known || containerId === undefined || containerId === null) return;
    const { template, input } = known;
    const stored = await this.services.secrets(state.id);
    const { secrets: settled } = await this.rotation.settle({ known, containerId, secrets: stored }, operation);
    const secrets = new Map([...settled, [WRONG_PASSWORD, generatedPassword(this.records.randomness)]]);
    const run = (command: Parameters<TemplateCommands['run']>[1]) =>
      this.commands.run(containerId, command, secrets, operation);
    await this.logIn(known, containerId, secrets, operation);
    const wrong = template.login(input, WRONG_PASSWORD);
    if (wrong.succeeded(await run(wrong))) throw failed('The database accepts a wrong password');
    for (const check of template.checks(input)) {
      const result = await run(check);
      const defect = check.defect(result);
      if (defect !== null)
        throw failed(`The database failed a check (${check.name}): ${defect}`, lastLine(result, secrets));
    }
    const version = (await run(template.serverVersion(input))).stdout.trim();
    if (versionNumbers(version).length === 0) throw failed('The database does not report its version');
    await operation.guard();
    await this.records.transactions.run(() => this.services.recordVersion(state.id, version, this.records.clock.now()));
  }

  private async logIn(
    { template, input }: KnownTemplate,
    containerId: string,
    secrets: TemplateSecrets,
    operation: Operation,
  ): Promise<void> {
    const login = template.login(input, PASSWORD);
    for (let left = LOGIN_TRIES - 1; ; left -= 1) {
      const result = await this.commands.run(containerId, login, secrets, operation);
      if (login.succeeded(result)) return;
      if (left === 0) throw failed('The panel could not log in to the database', lastLine(result, secrets));
      await sleep(LOGIN_PAUSE_MS, undefined, { signal: operation.signal }).catch(() =>
        operation.signal?.throwIfAborted(),
      );
    }
  }
}

/** Why an image may not use the data of the service, according to the version that it states. Null if it may. */
export function refusalOf({ template, service }: KnownTemplate, image: LocalImage | null | undefined) {
  const variable = template.image.versionVariable;
  const stated = variable === null ? undefined : image?.environment?.get(variable);
  if (service.serverVersion === null || stated === undefined) return null;
  return versionRefusal(service.serverVersion, stated, template.seriesParts);
}

function failed(text: string, said = ''): DeployFailure {
  return new DeployFailure('health_gate_failed', `${text}.${said === '' ? '' : ` It said: ${said}`}`);
}

/** The last line of a command's output, with the secrets of the service redacted. */
function lastLine({ stdout, stderr }: CommandResult, secrets: TemplateSecrets): string {
  const line = `${stdout}\n${stderr}`.trim().split('\n').at(-1) ?? '';
  return [...secrets.values()].reduce((text, secret) => text.replaceAll(secret.reveal(), '[redacted]'), line);
}
