import type { Service } from '../../api/types';

const ORIGINS: Readonly<Record<string, string>> = { compose: 'compose file', git: 'Git repository' };

/** What a service was made from, in words. */
export const originOf = ({ templateName, deploymentType }: Service): string =>
  templateName ?? ORIGINS[deploymentType] ?? deploymentType;
