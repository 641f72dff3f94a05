import { DATABASE_KINDS, wiringOf, type DatabaseKind } from '../facts/database-kinds.js';
import { evidenceOf, type RepositoryFacts } from '../facts/repository-facts.js';
import { LANGUAGES_KNOWN } from '../facts/languages.js';
import type { AnalysedDatabase, AnalysedVolume, AnalysisResult } from './analysis-result.js';
import { mergeVariables, type EvidenceLine } from './merged-variables.js';
import type { ModelAnswer } from './model-answer.js';
import { plainProse } from './plain-prose.js';

const MAX_SUMMARY_LENGTH = 600;
const DEFAULT_PORT = 8080;
const MAX_VOLUMES = 5;
/** A folder for the application's data: absolute, plain, and not a system folder. */
const DATA_FOLDER = /^\/(?:app|data|srv|opt|usr\/src\/app|var\/lib|var\/www|home\/app)(?:\/[A-Za-z0-9._-]+){0,6}$/;
const HEALTH_PATH = /^\/(?!\/)[A-Za-z0-9._~/-]{0,80}$/;

/** The result without the parts derived from it: Dockerfile, compose file and request bodies. */
export type MergedAnalysis = Omit<AnalysisResult, 'dockerfile' | 'compose_yaml' | 'deploy'>;

/** The ids of templates by kind of database. */
export type TemplateIds = ReadonlyMap<DatabaseKind, string>;

/**
 * The facts from files, completed by the model's answer. Files take precedence, and a warning reports the difference.
 * Nothing from the model is run or pulled: commands must be named by a file.
 */
export function mergeAnswer(
  facts: RepositoryFacts,
  answer: ModelAnswer,
  lineOf: EvidenceLine,
  templates: TemplateIds,
): MergedAnalysis {
  const { build, dockerfile } = facts;
  const { variables, warnings: aboutVariables } = mergeVariables(facts, answer, lineOf);
  const port = mergePort(facts, answer);
  const start = mergeStart(facts, answer);
  const language = mergeLanguage(facts, answer);
  const volumes = mergeVolumes(facts, answer);
  const names = variables.map(({ name }) => name);
  return {
    summary: plainProse(answer.summary, MAX_SUMMARY_LENGTH) || (facts.title ?? 'An application without a description.'),
    language: language.value,
    framework: build?.framework ?? null,
    package_manager: build?.packageManager ?? null,
    build_method: dockerfile ? 'dockerfile' : 'auto',
    confidence: confidenceOf(facts, start.value),
    port: port.value,
    start_command: start.value,
    env_vars: variables,
    databases: mergeDatabases(facts, answer, names, templates),
    volumes: volumes.value,
    healthcheck: healthOf(answer),
    resource_limits: limitsOf(build?.language ?? null),
    warnings: [
      ...(build?.warnings ?? []).map((text) => plainProse(text, 300)),
      ...[language, port, start, volumes].flatMap(({ warnings }) => warnings),
      ...aboutVariables,
    ],
  };
}

interface Merged<T> {
  readonly value: T;
  readonly warnings: readonly string[];
}

function mergePort({ build, dockerfile, variables }: RepositoryFacts, { port }: ModelAnswer): Merged<number> {
  const example = Number(variables.find(({ name }) => name === 'PORT')?.default ?? NaN);
  const told = build?.port ?? dockerfile?.port ?? (isPort(example) ? example : null);
  if (told === null) return { value: port !== null && isUsual(port) ? port : DEFAULT_PORT, warnings: [] };
  const differs = port !== null && port !== told;
  return {
    value: told,
    warnings: differs ? [`The model named another port than the files; ${told} from the files is used.`] : [],
  };
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 65_535;
}

/** Whether an application may listen on the port. A low port that only the model names is not trusted. */
function isUsual(port: number): boolean {
  return isPort(port) && (port >= 1024 || port === 80);
}

/** Accepts a command of the model only if a file of the repository contains it. */
function mergeStart({ build, startCommands }: RepositoryFacts, answer: ModelAnswer): Merged<string | null> {
  const said = answer.start_command?.trim() || null;
  const told = build?.startCommand ?? null;
  if (said === null || said === told) return { value: told, warnings: [] };
  if (told === null && startCommands.includes(said)) return { value: said, warnings: [] };
  const reason = startCommands.includes(said)
    ? 'The model named another start command; the one from the files is used.'
    : 'The model proposed a start command that no file of the repository names; it was left out.';
  return { value: told, warnings: [reason] };
}

function mergeLanguage({ build }: RepositoryFacts, { language }: ModelAnswer): Merged<string | null> {
  if (build) {
    const differs = language !== null && language !== build.language && language !== 'other';
    const text = `The model named another language than the files; ${build.language} from the files is used.`;
    return { value: build.language, warnings: differs ? [text] : [] };
  }
  const known = LANGUAGES_KNOWN.find((one) => one === language) ?? null;
  const text = 'No language was recognised from files: without a Dockerfile the repository cannot be built.';
  return { value: known, warnings: [text] };
}

function mergeDatabases(
  { databases }: RepositoryFacts,
  answer: ModelAnswer,
  names: readonly string[],
  templates: TemplateIds,
): readonly AnalysedDatabase[] {
  const found = new Map<DatabaseKind, string>();
  for (const { kind, place } of databases) if (!found.has(kind)) found.set(kind, evidenceOf(place));
  // A database that only the model names is a hint without evidence. Nothing is deployed for it.
  for (const kind of DATABASE_KINDS) if (!found.has(kind) && answer.databases.includes(kind)) found.set(kind, '');
  return [...found].map(([kind, evidence]) => ({
    kind,
    template_id: templates.get(kind) ?? null,
    env_mapping: wiringOf(kind, names),
    evidence,
  }));
}

function mergeVolumes({ dockerfile }: RepositoryFacts, answer: ModelAnswer): Merged<readonly AnalysedVolume[]> {
  const said = [...(dockerfile?.volumes ?? []), ...answer.volumes];
  const paths = [...new Set(said.filter((path) => DATA_FOLDER.test(path) && !path.split('/').includes('..')))];
  const refused = new Set(said).size - paths.length;
  const value = paths
    .slice(0, MAX_VOLUMES)
    .map((path, index) => ({ name: `data${index === 0 ? '' : index + 1}`, path }));
  const text = `${refused} volume(s) were left out: only folders of an application's own data are suggested.`;
  return { value, warnings: refused > 0 ? [text] : [] };
}

function healthOf({ health_path: path }: ModelAnswer): { readonly path: string } | null {
  return path !== null && HEALTH_PATH.test(path) && !path.includes('..') ? { path } : null;
}

/** How much of the result is based on files. */
function confidenceOf({ build, dockerfile }: RepositoryFacts, start: string | null): number {
  if (dockerfile) return build ? 0.9 : 0.7;
  if (!build) return 0.2;
  return start !== null || build.outputFolder !== null ? 0.9 : 0.5;
}

function limitsOf(language: string | null) {
  const memoryMb = language === 'java' ? 1024 : language === 'static' ? 128 : 512;
  return { cpuCores: 1, memoryMb, diskMb: 5120 };
}
