import type { ContainerPlan, Dependency, ImageReference } from '../service-plan.js';
import type { SecretTemplate } from '../secret-template.js';
import { splitCommandLine } from './values/command-line.js';
import type { ComposeFile, ComposeService, OneOrMore } from './compose-file.js';
import { readDependencies } from './dependencies.js';
import { readEnvironment, readFileUses } from './environment.js';
import { parseImageReference, registryDefect } from './values/image-reference.js';
import type { OwnResources } from './networks.js';
import type { Place } from './place.js';
import type { PlanContext } from './plan-context.js';
import { readExposed, readPorts } from './ports.js';
import { readBytes, readLabels, readList, readTexts, readTruth, textOf } from './readers.js';
import { type Asked, readResources } from './resources.js';
import {
  readDns,
  readExtraHosts,
  readHealthcheck,
  readLogging,
  readRestart,
  readStopGrace,
  readStopSignal,
  readUlimits,
} from './runtime-settings.js';
import { readSecurity } from './security.js';
import { tmpfsOver } from './tmpfs.js';
import { readMounts } from './volumes.js';

/** What all services of one file have in common while they are read. */
export interface Surroundings {
  readonly file: ComposeFile;
  readonly context: PlanContext;
  readonly resources: OwnResources;
  readonly secrets: ReadonlyMap<string, SecretTemplate>;
  readonly configs: ReadonlyMap<string, SecretTemplate>;
  readonly takenPorts: Set<string>;
}

/** A container whose share of the service's resources is not known yet. */
export interface Draft {
  readonly name: string;
  readonly container: Omit<ContainerPlan, 'resources'>;
  readonly asked: Asked;
  readonly dependsOn: readonly (Dependency & { readonly place: Place })[];
  readonly profiles: readonly string[];
  readonly askedTmpfsBytes: number;
  /** The place of `depends_on`. */
  readonly place: Place;
}

export function draftContainer(name: string, service: ComposeService, around: Surroundings, place: Place): Draft {
  const { context, file, secrets, configs, resources } = around;
  const dependsOn = readDependencies(service.depends_on, place.at('depends_on'));
  const profiles = readTexts(service.profiles, place.at('profiles'));
  // Services with profiles are not started and take no ports. Alternatives in different profiles may use the same port.
  const takenPorts = profiles.length > 0 ? new Set<string>() : around.takenPorts;
  const { mounts, tmpfs, askedTmpfsBytes } = readMounts(service, (key) => resources.volume(key), place);
  const paths = {
    taken: new Set([...mounts, ...tmpfs].map(({ target }) => target)),
    tmpfsOver: (path: string) => tmpfsOver(path, mounts, tmpfs),
  };
  const files = [
    ...readFileUses('secret', service.secrets, file.secrets, secrets, paths, place.at('secrets')),
    ...readFileUses('config', service.configs, file.configs, configs, paths, place.at('configs')),
  ];
  if (readTruth(service.read_only) && files.length > 0)
    place.at('read_only').refuse('Files of secrets and configs cannot be written into a read-only container.');
  const container = {
    name,
    image: readImage(service.image, context.allowedRegistries, place.at('image')),
    command: readCommand(service.command, place.at('command')),
    entrypoint: readCommand(service.entrypoint, place.at('entrypoint')),
    environment: readEnvironment(service.environment, context.variables, place.at('environment')),
    mounts,
    tmpfs,
    files,
    ports: readPorts(service, context, takenPorts, place.at('ports')),
    expose: readExposed(service.expose, place.at('expose')),
    networks: resources.attachments(name, service, place.at('networks')),
    dependsOn: dependsOn.map(({ place: _, ...dependency }) => dependency),
    healthcheck: readHealthcheck(service.healthcheck, place.at('healthcheck')),
    restart: readRestart(service.restart),
    stopGraceMs: readStopGrace(service.stop_grace_period, place.at('stop_grace_period')),
    stopSignal: readStopSignal(service.stop_signal, place.at('stop_signal')),
    init: readTruth(service.init),
    readOnly: readTruth(service.read_only),
    user: textOf(service.user),
    workingDir: textOf(service.working_dir),
    hostname: textOf(service.hostname),
    shmSizeBytes: readBytes(service.shm_size),
    ulimits: readUlimits(service.ulimits, place.at('ulimits')),
    tty: readTruth(service.tty),
    stdinOpen: readTruth(service.stdin_open),
    extraHosts: readExtraHosts(service.extra_hosts, place.at('extra_hosts')),
    dns: readDns(service.dns, place.at('dns')),
    labels: readLabels(service.labels, place.at('labels')),
    groupAdd: readList(service.group_add, place.at('group_add')).map(({ item }) => String(item)),
    security: readSecurity(service, place),
    logging: readLogging(service.logging, place.at('logging')),
  };
  return {
    name,
    container,
    asked: readResources(service, place),
    dependsOn,
    profiles,
    askedTmpfsBytes,
    place: place.at('depends_on'),
  };
}

const NO_IMAGE: ImageReference = { ref: '', registry: '', repository: '', tag: null, digest: null };

function readImage(text: string | undefined, allowed: ReadonlySet<string>, place: Place): ImageReference {
  // The schema has refused a missing or malformed image, so no plan is made of this.
  if (text === undefined) return NO_IMAGE;
  const image = parseImageReference(text);
  if (image === null) {
    place.refuse('It is not the name of an image.');
    return NO_IMAGE;
  }
  const defect = registryDefect(image.registry, allowed);
  if (defect !== null) place.forbid(defect);
  if (image.digest === null && image.tag === 'latest' && !text.endsWith(':latest'))
    place.warn('image_latest', 'The image has no tag. latest is used.');
  return image;
}

/** Null means the default of the image. An empty string or list means no command. */
function readCommand(value: OneOrMore | null | undefined, place: Place): readonly string[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return readTexts(value, place);
  const line = splitCommandLine(value);
  if ('words' in line) return line.words;
  place.refuse(`The command ${line.problem}.`);
  return [];
}
