import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { createGitService } from '../../api/limits';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { textIn } from '../analysis/prefilled';
import { LimitFields, limitsIn, limitsOf } from '../services/source/limit-fields';
import { VariableFields, variablesIn, variablesOf } from '../services/source/variable-fields';
import { BuildFields, DeployKeyField, RepositoryFields } from './git-fields';
import { fieldsOf, textsOfProposal } from './git-texts';
import { useDeployed } from '../services/source/use-deployed';

/** What no field of the form is about, and goes along as the analysis proposed it. */
const proposedVolumes = ({ volumes }: Proposal) =>
  Array.isArray(volumes) && volumes.length > 0 ? { volumes: volumes as { name: string; path: string }[] } : {};

type Proposal = Readonly<Record<string, unknown>>;

/** A new service from a Git repository. @param proposal what the form begins with: a body of `POST /services/git` */
export function GitForm({ proposal = {} }: { proposal?: Proposal }): ReactNode {
  const deployed = useDeployed();
  const [name, setName] = useState(textIn(proposal, 'name'));
  const [texts, setTexts] = useState(textsOfProposal(proposal));
  const [variables, setVariables] = useState(variablesIn(proposal['variables']));
  const [limits, setLimits] = useState(limitsIn(proposal['resource_limits']));
  const deploy = useMutation({
    mutationFn: () => {
      const { resourceLimits } = limitsOf(limits);
      const body = {
        name,
        ...fieldsOf(texts),
        ...proposedVolumes(proposal),
        ...variablesOf(variables),
        ...(resourceLimits && { resource_limits: resourceLimits }),
      };
      return answer(api.POST('/api/v1/services/git', { body }));
    },
    onSuccess: deployed,
  });
  const problem = deploy.error instanceof Problem ? deploy.error : null;
  const fields = { texts, onChange: setTexts, problem };
  return (
    <Form narrow onSubmit={() => deploy.mutate()}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <RepositoryFields {...fields} />
        <TextField
          label="Name of the service"
          limit={createGitService.name}
          value={name}
          onChange={setName}
          error={problem?.at('/name')}
        />
        <BuildFields {...fields} />
      </div>
      <DeployKeyField {...fields} />
      <VariableFields
        hint="What the program finds in its environment. Values are stored encrypted and are never shown again."
        problem={problem}
        variables={variables}
        onChange={setVariables}
      />
      <LimitFields limits={limits} onChange={setLimits} problem={problem} base="/resource_limits" />
      <ProblemNotice error={deploy.error} />
      <div>
        <Button type="submit" look="primary" busy={deploy.isPending}>
          Clone, build and deploy
        </Button>
      </div>
    </Form>
  );
}
