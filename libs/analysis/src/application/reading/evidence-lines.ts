import type { RepositoryTree } from '#libs/services';
import type { EvidenceLine } from '../../domain/result/merged-variables.js';
import type { ModelAnswer } from '../../domain/result/model-answer.js';

const EVIDENCE = /^(.{1,300}):(\d{1,6})$/;

/** Reads the lines that the model cites as evidence, so that its claims can be checked. */
export async function evidenceLines(tree: RepositoryTree, answer: ModelAnswer): Promise<EvidenceLine> {
  const paths = new Set(tree.list().map(({ path }) => path));
  const lines = new Map<string, string>();
  for (const evidence of new Set(answer.env_vars.map((variable) => variable.evidence))) {
    const [, path = '', number = ''] = EVIDENCE.exec(evidence) ?? [];
    if (!paths.has(path)) continue;
    const line = ((await tree.read(path)) ?? '').split('\n')[Number(number) - 1];
    if (line !== undefined) lines.set(evidence, line);
  }
  return (evidence, name) => {
    const line = lines.get(evidence);
    return line !== undefined && new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(line) ? line : null;
  };
}
