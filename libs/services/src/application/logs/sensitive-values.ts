import { Injectable } from '@nestjs/common';
import { Conflict } from '#kernel/errors';
import type { SecretText } from '#kernel/crypto/secret-text';
import type { Uuid } from '#kernel/crypto/uuid';
import { OrganisationScope } from '../../domain/organisation-scope.js';
import type { SecretTemplate } from '../../domain/secret-template.js';
import { isSensitive } from '../../domain/sensitive-value.js';
import type { Service } from '../../domain/service.js';
import type { ServicePlan } from '../../domain/service-plan.js';
import { SecretSource } from '../ports/secret-source.js';
import { ServiceRepository } from '../ports/service-repository.js';
import { SpecStore, type ServiceSpec } from '../ports/spec-store.js';
import { TemplateServices } from '../ports/templates/template-services.js';
import { Specification } from '../intake/specification.js';

/** Earlier versions are included, because their containers may still be running or be read. */
const VERSIONS_BACK = 3;
/** Shorter values are not redacted: they would match everywhere. Secrets of organisations are never shorter. */
const MIN_SECRET_LENGTH = 4;
/** Shorter lines of a longer value are not redacted either. */
const MIN_LINE_LENGTH = 8;

const USER_INFO = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i;

/** Collects the values of a service that no log may show: variables, passwords in its environment, secrets. */
@Injectable()
export class SensitiveValues {
  constructor(
    private readonly services: ServiceRepository,
    private readonly specs: SpecStore,
    private readonly specification: Specification,
    private readonly secrets: SecretSource,
    private readonly templates: TemplateServices,
  ) {}

  /**
   * The values; none for a service that does not exist.
   * @param newest the newest version to include; defaults to the current one
   * @throws Conflict `secrets_unreadable` if the specification cannot be decrypted, so the values are unknown
   */
  async of(serviceId: Uuid, newest: number | null = null): Promise<ReadonlySet<string>> {
    const service = await this.services.get(OrganisationScope.everything, serviceId);
    if (!service) return new Set();
    const { customerId, resourceLimits } = service.state;
    const specVersion = newest ?? service.state.specVersion;
    const oldest = Math.max(1, specVersion - VERSIONS_BACK);
    const versions = Array.from({ length: specVersion - oldest + 1 }, (_, back) => specVersion - back);
    const values = await Promise.all(
      versions.map(async (version) => {
        const spec = await this.opened(serviceId, version);
        const plan = await this.planned(serviceId, spec, resourceLimits);
        return [...variablesOf(spec), ...(plan ? await this.valuesOf(plan, customerId) : [])];
      }),
    );
    return new Set([...values.flat(), ...(await this.ofTemplate(service))].flatMap(withItsParts));
  }

  /** The passwords of a database, which are stored apart from the specification. */
  private async ofTemplate({ id, state }: Service): Promise<readonly string[]> {
    if (state.deploymentType !== 'template') return [];
    try {
      const rotation = await this.templates.rotation(id);
      const secrets = [...(await this.templates.secrets(id)).values(), ...(rotation ? [rotation.next] : [])];
      return secrets.map((secret) => secret.reveal());
    } catch (error) {
      throw unreadable(error);
    }
  }

  private async opened(serviceId: Uuid, version: number): Promise<ServiceSpec> {
    try {
      return await this.specs.open(serviceId, version);
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Null for a file that the current policy refuses. Its variables are still redacted. */
  private planned(serviceId: Uuid, spec: ServiceSpec, limits: Parameters<Specification['plan']>[2]) {
    return this.specification
      .plan(serviceId, { ...spec, portsAllowed: true, customerId: null }, limits)
      .catch(() => null);
  }

  private async valuesOf({ containers }: ServicePlan, customerId: Uuid | null): Promise<string[]> {
    const environment = containers.flatMap((container) => [...container.environment]);
    const files = containers.flatMap((container) => container.files.map(({ content }) => content));
    const templates = [...environment.map(([, template]) => template), ...files];
    const names = [...new Set(templates.flatMap((template) => template.secretNames))];
    const known = customerId === null ? new Map<string, SecretText>() : await this.secrets.resolve(customerId, names);
    const literal = environment.flatMap(([name, template]) => {
      const text = literalOf(template);
      return text !== null && isSensitive(name, text) ? [text] : [];
    });
    const secrets = [...known.values()].map((secret) => secret.reveal());
    return [...literal, ...secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH)];
  }
}

/**
 * Logs are redacted line by line, so each line of a key file is a value of its own. So is the password in a URL,
 * because programs may print it alone.
 */
function withItsParts(value: string): string[] {
  const lines = value.split(/\r\n|\r|\n/).map((line) => line.trim());
  const [, password = ''] = USER_INFO.exec(value) ?? [];
  return [
    value,
    ...(lines.length > 1 ? lines.filter(({ length }) => length >= MIN_LINE_LENGTH) : []),
    ...[password, decoded(password)].filter(({ length }) => length >= MIN_SECRET_LENGTH),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unreadable(cause: unknown): Conflict {
  const text = 'The secrets of the service cannot be read, so its output is not shown.';
  return new Conflict('secrets_unreadable', text, { cause });
}

function variablesOf({ variables }: ServiceSpec): string[] {
  return [...variables].flatMap(([name, value]) => (isSensitive(name, value) ? [value] : []));
}

function literalOf({ parts }: SecretTemplate): string | null {
  const texts = parts.flatMap((part) => ('text' in part ? [part.text.reveal()] : []));
  return texts.length === parts.length ? texts.join('') : null;
}
