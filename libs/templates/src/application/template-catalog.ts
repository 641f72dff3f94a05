import { stringify } from 'yaml';
import type { Uuid } from '#kernel/crypto/uuid';
import { composeOf } from '../domain/compose.js';
import type { Template, TemplateInput } from '../domain/template.js';
import type { TemplateSettings } from './template-settings.js';

const DOCKER_HUB = 'docker.io';

/** The templates of this installation, and the compose files made from them. */
export class TemplateCatalog {
  readonly #byId: ReadonlyMap<string, Template>;
  readonly #bySlug: ReadonlyMap<string, Template>;

  /** @throws RangeError if two templates share an id or a slug */
  constructor(
    private readonly templates: readonly Template[],
    private readonly settings: TemplateSettings,
  ) {
    this.#byId = new Map(templates.map((template) => [template.id, template]));
    this.#bySlug = new Map(templates.map((template) => [template.slug, template]));
    if (this.#byId.size !== templates.length || this.#bySlug.size !== templates.length)
      throw new RangeError('two templates share an id or a slug');
  }

  list(): readonly Template[] {
    return this.templates;
  }

  /** @returns null for an unknown id, and for a slug */
  get(id: Uuid): Template | null {
    return this.#byId.get(id) ?? null;
  }

  bySlug(slug: string): Template | null {
    return this.#bySlug.get(slug) ?? null;
  }

  /** The image as services store it, without its registry: `library/postgres:16-bookworm`. */
  imageOf({ image }: Pick<Template, 'image'>): string {
    return `${image.repository}:${image.tag}`;
  }

  /** @param image as services store it @returns the full reference, from the registry of this installation */
  referenceOf(image: string): string {
    return `${this.settings.registry ?? DOCKER_HUB}/${image}`;
  }

  /** Host and port of the mirror for all images; null for Docker Hub. */
  get registryHost(): string | null {
    return this.settings.registry?.split('/')[0] ?? null;
  }

  /**
   * The compose file of a service of this template. It names its secrets by `${NAME}` and holds none.
   * @param image as services store it; a service keeps its original series
   */
  composeYaml(template: Template, input: TemplateInput, image: string): string {
    return stringify(composeOf(template, template.recipe(input), this.referenceOf(image), input.serviceName));
  }
}
