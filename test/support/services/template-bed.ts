import { totalmem } from 'node:os';
import path from 'node:path';
import { SecretText } from '#kernel/crypto/secret-text';
import { DockerodeContainerExec } from '../../../libs/services/src/infrastructure/docker/streams/dockerode-container-exec.js';
import type { DatabaseImage } from '../databases/database-recipes.js';
import { makeDatabaseImage } from '../databases/database-images.js';
import { imageCache, rootHash } from '../databases/database-root.js';
import { engineHost, engineJson } from '../docker/engine-http.js';
import { forgetImages, publishImage, pushImage, removeImage, tagUnlessThere } from '../docker/images.js';
import { startRegistry, type TestRegistry } from '../docker/registry.js';
import { takeTurn } from '../turn.js';
import { startPanelWithWorker, type PanelWithWorker } from './panel-with-worker.js';

const READY_TIMEOUT_MS = 120_000;
const MAX_WAIT_MS = 600_000;
/** How many tests with database servers run at the same time. The servers need much memory. */
const AT_ONCE = totalmem() < 12 * 2 ** 30 ? 1 : 2;
/** Time limit for hooks that start a bed: the wait for its turn, and then the start of a server. */
export const BED_START_MS = MAX_WAIT_MS + 300_000;

export interface ContainerShown {
  readonly Id: string;
  readonly State: string;
}

/** A panel with a worker, and a registry with images of real database servers for its templates. */
export class TemplateBed {
  readonly #exec = new DockerodeContainerExec({ host: engineHost() });

  private constructor(
    readonly panel: PanelWithWorker,
    private readonly registry: TestRegistry,
    private readonly endTurn: () => void,
  ) {}

  /** Waits for its turn among all tests with database servers on this machine, and starts. */
  static async start(more: Record<string, string> = {}): Promise<TemplateBed> {
    return TemplateBed.#open(more, await takeTurn('databases', MAX_WAIT_MS, AT_ONCE));
  }

  /** For tests with a stub instead of a database server. Stubs are small, so it does not wait for other tests. */
  static startForStub(more: Record<string, string> = {}): Promise<TemplateBed> {
    return TemplateBed.#open(more, () => undefined);
  }

  static async #open(more: Record<string, string>, endTurn: () => void): Promise<TemplateBed> {
    try {
      const registry = await startRegistry();
      const settings = { TEMPLATE_REGISTRY: registry.host, ...more };
      const panel = await startPanelWithWorker({ settings, registries: [registry.host], timeoutMs: READY_TIMEOUT_MS });
      await panel.startWorker();
      return new TemplateBed(panel, registry, endTurn);
    } catch (error) {
      endTurn();
      throw error;
    }
  }

  /** Pushes the image of a server to the registry, under the name that a template uses. @returns the digest */
  async publish(name: DatabaseImage, image: string, instructions: readonly string[] = []): Promise<string> {
    const reference = `${this.registry.host}/${image}`;
    await makeDatabaseImage(name, reference, { instructions });
    const layers = path.join(imageCache(), `${name}-${rootHash(name)}-layers`);
    await this.registry.offerLayers(image.split(':')[0]!, layers);
    const digest = await pushImage(reference);
    await this.registry.keepLayers(reference, layers);
    await removeImage(reference);
    return digest;
  }

  /** Pushes an image of the engine to the registry, under the name that a template uses. */
  async publishFrom(onEngine: string, image: string): Promise<void> {
    const reference = `${this.registry.host}/${image}`;
    await tagUnlessThere(onEngine, reference);
    await pushImage(reference);
    await removeImage(reference);
  }

  /** Imports an image into the engine under the name that a template uses, without the registry. */
  putOnEngine(name: DatabaseImage, image: string, instructions: readonly string[]): Promise<void> {
    return makeDatabaseImage(name, `${this.registry.host}/${image}`, { instructions });
  }

  /** Pushes an image of a small program to the registry. @returns its name */
  async publishPlain(image: string): Promise<string> {
    const reference = `${this.registry.host}/${image}`;
    await publishImage(reference, {});
    return reference;
  }

  async templateId(slug: string): Promise<string> {
    const { body } = await this.panel.admin.get('/api/v1/templates');
    return (body.data as { id: string; slug: string }[]).find((one) => one.slug === slug)!.id;
  }

  async deploy(slug: string, body: object): Promise<string> {
    const answer = await this.panel.admin.post(`/api/v1/templates/${await this.templateId(slug)}/deploy`, body);
    if (answer.status !== 202) throw new Error(answer.text);
    return answer.body.serviceId as string;
  }

  /** Waits for the end of the newest deployment of a service. @throws unless it succeeded */
  async untilDone(serviceId: string): Promise<any> {
    const deployment = await this.panel.untilOver(serviceId);
    if (deployment.status !== 'succeeded') throw new Error(JSON.stringify(deployment));
    return deployment;
  }

  async container(serviceId: string): Promise<ContainerShown> {
    const filters = encodeURIComponent(JSON.stringify({ label: [`panel.service=${serviceId}`] }));
    const found = await engineJson<ContainerShown[]>('GET', `/containers/json?all=1&filters=${filters}`);
    if (found.length !== 1) throw new Error(`${found.length} containers belong to ${serviceId}`);
    return found[0]!;
  }

  inspect(containerId: string): Promise<any> {
    return engineJson('GET', `/containers/${containerId}/json`);
  }

  /** Runs a command in the container of the service. @returns its output @throws unless it exits with 0 */
  async run(serviceId: string, command: readonly string[], environment: Record<string, string> = {}): Promise<string> {
    const result = await this.attempt(serviceId, command, environment);
    if (result.exitCode !== 0) throw new Error(`${result.exitCode}: ${result.stdout}${result.stderr}`);
    return result.stdout.trim();
  }

  async attempt(serviceId: string, command: readonly string[], environment: Record<string, string> = {}) {
    const { Id } = await this.container(serviceId);
    const values = new Map(Object.entries(environment).map(([name, value]) => [name, new SecretText(value)]));
    const request = { command, environment: values, timeoutMs: 60_000 };
    return this.#exec.run(Id, request, { guard: () => Promise.resolve() });
  }

  async close(): Promise<void> {
    try {
      await this.panel.close();
      await forgetImages(this.registry.host);
      await this.registry.stop();
    } finally {
      this.endTurn();
    }
  }
}
