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
  /** The password is an API key that clients send with every request. */
  readonly isApiKey: boolean;
  /** Null if it is not revealed. */
  readonly password: SecretText | null;
  connectionString(password: string): string;
}

export interface RotatedCredentials {
  readonly credentials: Credentials;
  /** The deployment that applies the new password, or gives it to the container. Null if nothing is left to do. */
  readonly deploymentId: Uuid | null;
}

/** Who requests a secret. */
export interface CredentialsCaller {
  readonly actor: DeploymentActor;
  readonly isAdmin: boolean;
}

interface Found {
  readonly state: ServiceState;
  readonly known: KnownTemplate;
}

/** For work outside a deployment, which has no lease and cannot be cancelled. */
const UNGUARDED: Operation = { guard: () => Promise.resolve() };

/** Shows the credentials of databases without the password, reveals them with an audit entry, and rotates them. */
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

  /** @throws NotFound, also for a service that was not created from a template */
  async get(scope: OrganisationScope, serviceId: Uuid): Promise<Credentials> {
    return toCredentials((await this.find(scope, serviceId)).known, null);
  }

  /**
   * Writes the audit entry before it reads the secret.
   * @throws NotFound; Forbidden; Conflict while its data are being restored
   */
  async reveal(scope: OrganisationScope, serviceId: Uuid, caller: CredentialsCaller): Promise<Credentials> {
    const found = await this.find(scope, serviceId);
    assertMay(found.known, caller);
    assertHasData(found.known);
    await this.records.transactions.run(() => this.record('credentials.revealed', found, caller));
    const secrets = await this.settledSecrets(found);
    return toCredentials(found.known, secrets.get(PASSWORD) ?? null);
  }

  /**
   * @throws NotFound; Forbidden; ActionRefused unless the service is running without an open operation
   * @throws Conflict while another rotation is in progress or the data are being restored
   * @throws Unavailable if the database does not accept the new password
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
    } else {
      const containerId = found.state.containerIds[0] ?? '';
      const { hasOldFiles } = await this.rotation.change({ known, containerId, secrets }, next, UNGUARDED);
      if (!hasOldFiles) return { credentials, deploymentId: null };
    }
    const { deploymentId } = await this.control.act(scope, serviceId, 'redeploy', caller.actor);
    return { credentials, deploymentId };
  }

  /** Records the rotation. From here on deployments wait until it has ended before they read the secrets. */
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

  /** Completes a rotation that a crash interrupted, if the database is running and can be asked. */
  private async settledSecrets({ state, known }: Found) {
    const secrets = await this.services.secrets(state.id);
    const containerId = state.containerIds[0];
    const rotation = await this.services.rotation(state.id);
    if (!rotation || containerId === undefined || state.status !== 'running') return secrets;
    // A rotation that has just begun is still being carried out by another request.
    if (!isStale(rotation, this.records.clock.now())) return secrets;
    return (await this.rotation.settle({ known, containerId, secrets }, UNGUARDED)).secrets;
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

/** Credentials are withheld during a restore, so that no client sees incomplete data. */
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
