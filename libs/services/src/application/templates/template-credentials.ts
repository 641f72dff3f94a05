import { Injectable } from '@nestjs/common';
import { Conflict, Forbidden, NotFound } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { type AuditAction, AuditLog } from '#libs/panel-auth';
import { generatedPassword, PASSWORD } from '#libs/templates';
import type { DeploymentActor } from '../../domain/deploying/deployment-state.js';
import type { OrganisationScope } from '../../domain/organisation-scope.js';
import type { ServiceState } from '../../domain/service-state.js';
import { ActionRefused } from '../../domain/services-errors.js';
import { ServiceControl } from '../controlling/service-control.js';
import type { Operation } from '../ports/engine/container-runtime.js';
import { TemplateServices } from '../ports/templates/template-services.js';
import { ServiceRecords } from '../service-records.js';
import { isStale, type KnownTemplate, TemplateSource } from './template-source.js';
import { TemplateRotation, withPassword } from './template-rotation.js';

/** How to reach the database of a service. */
export interface Credentials {
  readonly host: string;
  readonly port: number;
  readonly database: string | null;
  readonly username: string | null;
  /** The password goes with every request as an API key. */
  readonly isApiKey: boolean;
  /** Null where it is not revealed. */
  readonly password: SecretText | null;
  connectionString(password: string): string;
}

export interface RotatedCredentials {
  readonly credentials: Credentials;
  /** Where only a new container takes the new password; null where it holds already. */
  readonly deploymentId: Uuid | null;
}

/** Who asks for a secret. */
export interface CredentialsCaller {
  readonly actor: DeploymentActor;
  readonly isAdmin: boolean;
}

interface Found {
  readonly state: ServiceState;
  readonly known: KnownTemplate;
}

/** Not within a deployment: nothing holds a lease, and nobody cancels. */
const UNGUARDED: Operation = { guard: () => Promise.resolve() };

/** The credentials of databases: shown without their secret, revealed with a trace, and changed. */
@Injectable()
export class TemplateCredentials {
  constructor(
    private readonly source: TemplateSource,
    private readonly services: TemplateServices,
    private readonly rotation: TemplateRotation,
    private readonly control: ServiceControl,
    private readonly audit: AuditLog,
    private readonly records: ServiceRecords,
  ) {}

  /** @throws NotFound also for a service that was not made from a template */
  async get(scope: OrganisationScope, serviceId: Uuid): Promise<Credentials> {
    return toCredentials((await this.find(scope, serviceId)).known, null);
  }

  /** The entry in the audit log stands before the secret is read. @throws NotFound; Forbidden; Conflict before its data are there */
  async reveal(scope: OrganisationScope, serviceId: Uuid, caller: CredentialsCaller): Promise<Credentials> {
    const found = await this.find(scope, serviceId);
    assertMay(found.known, caller);
    assertHasData(found.known);
    await this.records.transactions.run(() => this.record('credentials.revealed', found, caller));
    const secrets = await this.settledSecrets(found);
    return toCredentials(found.known, secrets.get(PASSWORD) ?? null);
  }

  /**
   * @throws NotFound; Forbidden; ActionRefused unless the service runs and nothing else happens to it
   * @throws Conflict while another rotation is under way, or before its data are there; Unavailable when the database keeps its password
   */
  async rotate(scope: OrganisationScope, serviceId: Uuid, caller: CredentialsCaller): Promise<RotatedCredentials> {
    const found = await this.find(scope, serviceId);
    const { known } = found;
    assertMay(known, caller);
    assertHasData(known);
    await this.settledSecrets(found);
    const next = generatedPassword(this.records.randomness);
    await this.begin(scope, found, caller, next);
    const credentials = toCredentials(known, null);
    const secrets = await this.services.secrets(serviceId);
    if (known.template.changePassword === null) {
      await this.records.transactions.run(() =>
        this.services.endRotation(serviceId, withPassword(secrets, next), this.records.clock.now()),
      );
      const { deploymentId } = await this.control.act(scope, serviceId, 'redeploy', caller.actor);
      return { credentials, deploymentId };
    }
    const containerId = found.state.containerIds[0] ?? '';
    await this.rotation.change({ known, containerId, secrets }, next, UNGUARDED);
    return { credentials, deploymentId: null };
  }

  /** From here on no deployment reads the secrets before the rotation has ended. */
  private async begin(
    scope: OrganisationScope,
    found: Found,
    caller: CredentialsCaller,
    next: SecretText,
  ): Promise<void> {
    const { services, deployments, transactions, clock } = this.records;
    const { id } = found.state;
    await transactions.run(async () => {
      const service = await services.getForUpdate(scope, id);
      if (!service) throw new NotFound();
      const { queued, running } = await deployments.open(id);
      if (queued || running) throw new ActionRefused('deployment_in_progress');
      if (service.state.status !== 'running' || service.state.locked) throw new ActionRefused('invalid_state');
      if (!(await this.services.beginRotation(id, next, clock.now())))
        throw new Conflict('conflict', 'The password is being changed already.');
      await this.record('credentials.rotated', found, caller);
    });
  }

  /** A rotation that a crash left open is ended first, while the database can be asked. */
  private async settledSecrets({ state, known }: Found) {
    const secrets = await this.services.secrets(state.id);
    const containerId = state.containerIds[0];
    const rotation = await this.services.rotation(state.id);
    if (!rotation || containerId === undefined || state.status !== 'running') return secrets;
    // One that has just begun is in somebody's hands.
    if (!isStale(rotation, this.records.clock.now())) return secrets;
    return this.rotation.settle({ known, containerId, secrets }, UNGUARDED);
  }

  private async find(scope: OrganisationScope, serviceId: Uuid): Promise<Found> {
    const service = await this.records.services.get(scope, serviceId);
    const known = service && (await this.source.find(service.state));
    if (!known) throw new NotFound();
    return { state: service.state, known };
  }

  private record(action: AuditAction, { state, known }: Found, { actor }: CredentialsCaller): Promise<void> {
    const detail = { template: known.template.slug };
    return this.audit.record({ action, actor, organisationId: state.customerId, target: state.id, detail });
  }
}

function assertMay({ template }: KnownTemplate, { isAdmin }: CredentialsCaller): void {
  if (template.credentialsForAdminsAlone && !isAdmin)
    throw new Forbidden('forbidden', 'The credentials of this service are for administrators.');
}

/** Nobody can log in without them: a client never sees a part of the data. */
function assertHasData({ service }: KnownTemplate): void {
  if (service.awaitsDataSince !== null)
    throw new Conflict(
      'restore_in_progress',
      'The data of this service are still being restored; its credentials are withheld until they are there.',
    );
}

function toCredentials({ template, input }: KnownTemplate, password: SecretText | null): Credentials {
  const { port, database, username, isApiKey, connectionString } = template.access(input);
  const host = input.serviceName;
  return {
    host,
    port,
    database,
    username,
    isApiKey,
    password,
    connectionString: (text) => connectionString(host, text),
  };
}
