import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { numberIn } from '../../api/number-in';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/notice';
import { textIn } from '../analysis/prefilled';
import { LimitFields, limitsIn, limitsOf } from '../services/limit-fields';
import { VariableFields, variablesIn, variablesOf } from '../services/variable-fields';

const METHODS = [
  ['auto', 'By its Dockerfile, or found out from its files'],
  ['dockerfile', 'By its Dockerfile'],
  ['nixpacks', 'By Nixpacks'],
] as const;
type Method = (typeof METHODS)[number][0];

/** What no field of the form is about, and goes along as the analysis proposed it. */
const proposedVolumes = ({ volumes }: Proposal) =>
  Array.isArray(volumes) && volumes.length > 0 ? { volumes: volumes as { name: string; path: string }[] } : {};

type Proposal = Readonly<Record<string, unknown>>;

/** A new service from a Git repository. @param proposal what the form begins with: a body of `POST /services/git` */
export function GitForm({ proposal = {} }: { proposal?: Proposal }): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState(textIn(proposal, 'name'));
  const [url, setUrl] = useState(textIn(proposal, 'git_repo_url'));
  const [branch, setBranch] = useState(textIn(proposal, 'git_branch'));
  const [port, setPort] = useState(textIn(proposal, 'port'));
  const [method, setMethod] = useState<Method>(
    METHODS.find(([each]) => each === proposal['build_method'])?.[0] ?? 'auto',
  );
  const [folder, setFolder] = useState('');
  const [deployKey, setDeployKey] = useState('');
  const [variables, setVariables] = useState(variablesIn(proposal['variables']));
  const [limits, setLimits] = useState(limitsIn(proposal['resource_limits']));
  const deploy = useMutation({
    mutationFn: () => {
      const { resourceLimits } = limitsOf(limits);
      const body = {
        name,
        git_repo_url: url,
        build_method: method,
        ...(branch && { git_branch: branch }),
        ...(port && { port: numberIn(port) }),
        ...(folder && { base_directory: folder }),
        ...(deployKey && { deploy_key: deployKey }),
        ...proposedVolumes(proposal),
        ...variablesOf(variables),
        ...(resourceLimits && { resource_limits: resourceLimits }),
      };
      return answer(api.POST('/api/v1/services/git', { body }));
    },
    onSuccess: ({ serviceId, deploymentId }) =>
      navigate({ to: '/services/$id/deployments/$deploymentId', params: { id: serviceId, deploymentId } }),
  });
  const problem = deploy.error instanceof Problem ? deploy.error : null;
  return (
    <form
      className="grid max-w-3xl grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        deploy.mutate();
      }}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextField label="Name" required value={name} onChange={setName} error={problem?.at('/name')} />
        <TextField
          label="Repository"
          required
          placeholder="https://github.com/acme/shop"
          hint="An https or ssh address without a password."
          value={url}
          onChange={setUrl}
          error={problem?.at('/git_repo_url')}
        />
        <TextField
          label="Branch or tag"
          placeholder="main"
          value={branch}
          onChange={setBranch}
          error={problem?.at('/git_branch')}
        />
        <TextField
          label="Port of the program"
          inputMode="numeric"
          placeholder="8080"
          hint="The program finds it in PORT."
          value={port}
          onChange={setPort}
          error={problem?.at('/port')}
        />
        <SelectField
          label="How it is built"
          value={method}
          onChange={(value) => setMethod(METHODS.find(([each]) => each === value)?.[0] ?? 'auto')}
          error={problem?.at('/build_method')}
        >
          {METHODS.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Folder in the repository"
          placeholder="the whole repository"
          value={folder}
          onChange={setFolder}
          error={problem?.at('/base_directory')}
        />
      </div>
      <TextArea
        label="Deploy key"
        hint="A private key for ssh without a passphrase, for repositories that are not public. It is never shown again."
        value={deployKey}
        onChange={setDeployKey}
        autoComplete="off"
        spellCheck={false}
        error={problem?.at('/deploy_key')}
      />
      <VariableFields variables={variables} onChange={setVariables} />
      <LimitFields limits={limits} onChange={setLimits} problem={problem} base="/resource_limits" />
      <ProblemNotice error={deploy.error} />
      <div>
        <Button type="submit" look="primary" busy={deploy.isPending}>
          Clone, build and deploy
        </Button>
      </div>
    </form>
  );
}
