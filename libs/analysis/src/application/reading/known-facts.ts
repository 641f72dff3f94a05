import { visibleText } from '#kernel/text/visible-text';
import type { RepositoryFacts } from '../../domain/facts/repository-facts.js';

/** The facts already known from files, as lines for the model. They contain only our own words and checked values. */
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
