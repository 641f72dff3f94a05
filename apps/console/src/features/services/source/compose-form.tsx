import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../../api/client';
import { createService } from '../../../api/limits';
import { Problem } from '../../../api/problem';
import { Button } from '../../../ui/button';
import { CodeEditor } from '../../../ui/forms/code-editor';
import { TextField } from '../../../ui/forms/field';
import { Form } from '../../../ui/forms/form';
import { Notice, ProblemNotice } from '../../../ui/notice';
import { textIn } from '../../analysis/prefilled';
import { isOfFile } from './compose-places';
import { MissingVariables, missingNames } from './missing-variables';
import { LimitFields, limitsIn, limitsOf } from './limit-fields';
import { VariableFields, variablesIn, variablesOf } from './variable-fields';
import { useDeployed } from './use-deployed';

const EXAMPLE = `services:
  web:
    image: nginx:1.29
    restart: unless-stopped
`;

/** A new service from a compose file. The API checks the whole form; its findings are shown at their places. */
export function ComposeForm({ proposal = {} }: { proposal?: Readonly<Record<string, unknown>> }): ReactNode {
  const deployed = useDeployed();
  const [name, setName] = useState(textIn(proposal, 'name'));
  const [description, setDescription] = useState('');
  const [composeYaml, setComposeYaml] = useState(textIn(proposal, 'composeYaml') || EXAMPLE);
  const [limits, setLimits] = useState(limitsIn(proposal['resourceLimits']));
  const [variables, setVariables] = useState(variablesIn(proposal['variables']));
  const source = () => ({ composeYaml, ...limitsOf(limits), ...variablesOf(variables) });

  const check = useMutation({ mutationFn: () => answer(api.POST('/api/v1/services/validate', { body: source() })) });
  const create = useMutation({
    mutationFn: () =>
      answer(api.POST('/api/v1/services', { body: { name, ...(description && { description }), ...source() } })),
    onSuccess: deployed,
  });
  const error = create.error ?? check.error;
  const problem = error instanceof Problem ? error : null;

  return (
    <Form
      narrow
      onSubmit={() => {
        check.reset();
        create.mutate();
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField
          label="Name of the service"
          limit={createService.name}
          value={name}
          onChange={setName}
          error={problem?.at('/name')}
        />
        <TextField
          label="Description"
          limit={createService.description}
          value={description}
          onChange={setDescription}
          error={problem?.at('/description')}
        />
      </div>
      <div>
        <p className="mb-1 text-sm font-medium">Compose file</p>
        <CodeEditor
          label="Compose file"
          value={composeYaml}
          onChange={setComposeYaml}
          details={problem?.details.filter(({ path }) => isOfFile(path)) ?? []}
        />
      </div>
      <VariableFields
        hint="What stands for ${NAME} in the file. Values are stored encrypted and are never shown again."
        problem={problem}
        variables={variables}
        onChange={setVariables}
      />
      <MissingVariables
        names={missingNames(
          composeYaml,
          variables.map(({ name: known }) => known),
        )}
        onAdd={(missing) => setVariables([...variables, { name: missing, value: '' }])}
      />
      <LimitFields limits={limits} onChange={setLimits} problem={problem} />
      <ProblemNotice error={error} />
      {check.data ? (
        <Notice tone={check.data.warnings.length > 0 ? 'warn' : 'good'}>
          {check.data.warnings.length === 0
            ? 'This compose file can be deployed.'
            : check.data.warnings.map(({ path, message }) => <p key={path + message}>{`${path} ${message}`}</p>)}
        </Notice>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={create.isPending}>
          Deploy
        </Button>
        <Button busy={check.isPending} onClick={() => check.mutate()}>
          Check only
        </Button>
      </div>
    </Form>
  );
}
