import { type Command, PASSWORD, secret } from '#libs/templates';
import { BackupFailed } from '../../../domain/backup-errors.js';
import type { DatabasePrograms } from '../../programs/database-programs.js';
import type { DatabaseTarget } from '../../programs/database-target.js';
import { ASK } from './scripts.js';

export interface QdrantRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

export type Fields = Readonly<Record<string, unknown>>;

const MAX_REASON_LENGTH = 200;

/** Calls the server's REST API from inside its container, because none of its ports is open to the panel. */
export class QdrantApi {
  constructor(private readonly programs: DatabasePrograms) {}

  /** @returns the `result` of each answer @throws BackupFailed with the server's error unless all requests succeed */
  async ask(target: DatabaseTarget, requests: readonly QdrantRequest[], signal: AbortSignal): Promise<unknown[]> {
    if (requests.length === 0) return [];
    const lines = requests.map(({ method, path, body }) =>
      [method, path, body === undefined ? '' : JSON.stringify(body)].join('\t'),
    );
    const said = await this.programs.text(target, script(ASK), signal, `${lines.join('\n')}\n`);
    const answers = answersOf(said);
    if (answers.length !== requests.length) throw new BackupFailed('Qdrant left a request without an answer.');
    return answers.map(({ result }) => result);
  }

  /** Runs a script that makes requests. @returns their answers @throws BackupFailed unless all requests succeed */
  async answers(target: DatabaseTarget, text: string, signal: AbortSignal): Promise<Fields[]> {
    return answersOf(await this.programs.text(target, script(text), signal));
  }
}

export function script(text: string): Command {
  return { command: ['bash', '-c', text], environment: { PANEL_KEY: [secret(PASSWORD)] } };
}

/** @param said one line per answer: its status, a tab, its body @throws BackupFailed when a status is not 2xx */
export function answersOf(said: string): Fields[] {
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const tab = line.indexOf('\t');
      const [status, text] = [line.slice(0, tab), line.slice(tab + 1)];
      const body = parsed(text);
      if (status.startsWith('2')) return body;
      const { error } = fields(body.status);
      const reason = (typeof error === 'string' ? error : text).slice(0, MAX_REASON_LENGTH);
      throw new BackupFailed(`Qdrant answered with ${status}: ${reason}`);
    });
}

/** The value if it is an object, otherwise an empty object, so that its fields are undefined. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses a JSON object; an empty object when the text is not one. */
export function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}
