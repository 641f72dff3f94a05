import { visibleText } from '#kernel/text/visible-text';
import type { RepositoryFacts } from '../../domain/facts/repository-facts.js';

/** What files tell already, in lines for the model: only words of ours and values that were checked. */
export function knownFacts({ build, dockerfile, databases, variables }: RepositoryFacts): string {
  const lines = [
    build ? `language: ${build.language} ${build.version}` : 'language: not recognised',
    ...(build?.framework ? [`framework: ${build.framework}`] : []),
    ...(build?.port ? [`port: ${build.port}`] : []),
    `Dockerfile: ${dockerfile ? 'yes' : 'no'}`,
    `databases: ${databases.map(({ kind }) => kind).join(', ') || 'none named'}`,
    `variables: ${variables.map(({ name }) => name).join(', ') || 'none named'}`,
  ];
  return visibleText(lines.join('\n'));
}
