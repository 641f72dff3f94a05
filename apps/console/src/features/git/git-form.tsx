import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { SelectField, TextArea, TextField } from '../../ui/field';
import { ProblemNotice } from '../../ui/notice';
import { LimitFields, limitsOf, NO_LIMITS } from '../services/limit-fields';
import { VariableFields, variablesOf, type Variable } from '../services/variable-fields';

const METHODS = [
  ['auto', 'By its Dockerfile, or found out from its files'],
  ['dockerfile', 'By its Dockerfile'],
  ['nixpacks', 'By Nixpacks'],
] as const;
type Method = (typeof METHODS)[number][0];

/** A new service from a Git repository. */
export function GitForm(): ReactNode {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [branch, setBranch] = useState('');
  const [port, setPort] = useState('');
  const [method, setMethod] = useState<Method>('auto');
  const [folder, setFolder] = useState('');
  const [deployKey, setDeployKey] = useState('');
  const [variables, setVariables] = useState<readonly Variable[]>([]);
  const [limits, setLimits] = useState(NO_LIMITS);
  const deploy = useMutation({
    mutationFn: () => {
      const { resourceLimits } = limitsOf(limits);
      const body = {
        name,
        git_repo_url: url,
        build_method: method,
        ...(branch && { git_branch: branch }),
        ...(port && { port: Number(port) }),
        ...(folder && { base_directory: folder }),
        ...(deployKey && { deploy_key: deployKey }),
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
