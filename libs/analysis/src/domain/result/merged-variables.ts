import { evidenceOf, type RepositoryFacts } from '../facts/repository-facts.js';
import { isSecretName, isVariableName, plainDefault } from '../facts/variable-rules.js';
import type { AnalysedVariable } from './analysis-result.js';
import type { ModelAnswer } from './model-answer.js';
import { plainProse } from './plain-prose.js';

const MAX_VARIABLES = 60;
const MAX_DESCRIPTION_LENGTH = 160;

/** The line of the repository that the model cites, if it contains the variable's name; otherwise null. */
export type EvidenceLine = (evidence: string, name: string) => string | null;

export interface MergedVariables {
  readonly variables: readonly AnalysedVariable[];
  readonly warnings: readonly string[];
}

/**
 * The variables found in files, then those of the model, if it cites a line with that name. A default must be in that
 * line too.
 */
export function mergeVariables(facts: RepositoryFacts, answer: ModelAnswer, lineOf: EvidenceLine): MergedVariables {
  const said = new Map(answer.env_vars.map((variable) => [variable.name, variable]));
  const fromFiles = facts.variables
    .filter(({ name }) => isVariableName(name))
    .map(({ name, default: value, description, place }): AnalysedVariable => {
      const words = description ?? said.get(name)?.description ?? null;
      const secret = isSecretName(name);
      return {
        name,
        secret,
        required: said.get(name)?.required ?? value === null,
        default: secret ? null : value,
        description: words === null ? null : proseOrNull(words),
        evidence: evidenceOf(place),
      };
    });
  const known = new Set(facts.variables.map(({ name }) => name));
  const added = answer.env_vars.flatMap((variable): AnalysedVariable[] => {
    const { name, required, secret, description, evidence } = variable;
    const line = known.has(name) || !isVariableName(name) ? null : lineOf(evidence, name);
    if (line === null) return [];
    known.add(name);
    const isSecret = secret || isSecretName(name);
    const value = variable.default === null || isSecret ? null : plainDefault(variable.default);
    return [
      {
        name,
        required,
        secret: isSecret,
        evidence,
        default: value !== null && line.includes(value) ? value : null,
        description: description === null ? null : proseOrNull(description),
      },
    ];
  });
  const refused = new Set(answer.env_vars.map(({ name }) => name).filter((name) => !known.has(name))).size;
  const warnings = [
    ...(refused > 0
      ? [`${refused} variable(s) of the model were left out: no line of the repository names them.`]
      : []),
  ];
  return { variables: [...fromFiles, ...added].slice(0, MAX_VARIABLES), warnings };
}

function proseOrNull(text: string): string | null {
  return plainProse(text, MAX_DESCRIPTION_LENGTH) || null;
}
