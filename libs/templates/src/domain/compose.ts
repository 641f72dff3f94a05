import { type Recipe, type RecipeFile, STOP_GRACE_SECONDS, type Text } from './recipe.js';
import type { TemplateRecord } from './template.js';

/** The parts of a compose file that templates use. */
export type ComposeValue =
  string | number | boolean | readonly ComposeValue[] | { readonly [key: string]: ComposeValue };

const ENGINE_PIDS = 2048;

/**
 * The compose file of a template's service: one container, its volumes, no published port. It names secrets by
 * `${NAME}` and holds none.
 * @param image the full reference
 */
export function composeOf(
  template: Pick<TemplateRecord, 'volumes' | 'ports'>,
  recipe: Recipe,
  image: string,
  serviceName: string,
): ComposeValue {
  const { probe, shmMb } = recipe;
  const container: ComposeValue = {
    image,
    ...(recipe.command === null ? {} : { command: recipe.command.map(literal) }),
    environment: mapValues(recipe.environment, composeText),
    ...(recipe.files.length === 0 ? {} : { secrets: recipe.files.map(fileUse) }),
    volumes: template.volumes.map(({ name, path }) => `${name}:${path}`),
    expose: template.ports.map(({ port }) => String(port)),
    networks: { default: {}, organisation: { aliases: [serviceName] } },
    healthcheck: {
      test: probe.test.map(literal),
      interval: `${probe.intervalSeconds}s`,
      timeout: `${probe.timeoutSeconds}s`,
      retries: probe.retries,
      start_period: `${probe.startPeriodSeconds}s`,
      start_interval: '2s',
    },
    restart: 'unless-stopped',
    stop_signal: recipe.stopSignal,
    stop_grace_period: `${STOP_GRACE_SECONDS}s`,
    ...(shmMb === null ? {} : { shm_size: `${shmMb}m` }),
    pids_limit: ENGINE_PIDS,
    logging: { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } },
  };
  return {
    services: { [serviceName]: container },
    ...(recipe.files.length === 0
      ? {}
      : {
          secrets: Object.fromEntries(
            recipe.files.map(({ name, content }) => [name, { content: composeText(content) }]),
          ),
        }),
    volumes: Object.fromEntries(template.volumes.map(({ name }) => [name, {}])),
    networks: { organisation: { 'x-panel': 'organisation' } },
  };
}

function fileUse({ name, path, uid, gid, mode }: RecipeFile): ComposeValue {
  return { source: name, target: path, uid: String(uid), gid: String(gid), mode: `0${mode.toString(8)}` };
}

/** Compose reads `$$` as a dollar sign. */
function literal(text: string): string {
  return text.replaceAll('$', '$$$$');
}

function composeText(text: Text): string {
  if (typeof text === 'string') return literal(text);
  return text.map((part) => (typeof part === 'string' ? literal(part) : `\${${part.secret}}`)).join('');
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
