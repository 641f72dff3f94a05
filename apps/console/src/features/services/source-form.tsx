import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { Problem } from '../../api/problem';
import type { Service, ServiceSource } from '../../api/types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CodeEditor } from '../../ui/code-editor';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';
import { LimitFields, limitsOf, textsOf } from './limit-fields';
import { sourceQuery } from './queries';
import { VariableFields, variablesOf, type Variable } from './variable-fields';

/** The compose file and limits of a service. Looking at them is recorded. */
export function SourceForm({ service }: { service: Service }) {
  const [shown, setShown] = useState(false);
  const { data, error } = useQuery({ ...sourceQuery(service.id), enabled: shown });
  return (
    <Card title="Compose file and limits">
      {shown ? null : (
        <div className="grid gap-3 text-sm">
          <p className="text-quiet">The audit log records that you opened the file.</p>
          <div>
            <Button onClick={() => setShown(true)}>Open to edit</Button>
          </div>
        </div>
      )}
      <ProblemNotice error={error} />
      {shown && !data && !error ? <Loading what="the compose file" /> : null}
      {data ? <Editor key={data.version} service={service} source={data} /> : null}
    </Card>
  );
}

function Editor({ service, source }: { service: Service; source: ServiceSource }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [composeYaml, setComposeYaml] = useState(source.composeYaml);
  const [added, setAdded] = useState<readonly Variable[]>([]);
  const [limits, setLimits] = useState(textsOf(service.resourceLimits));
  const save = useMutation({
    mutationFn: () =>
      answer(
        api.PATCH('/api/v1/services/{id}', {
          params: { path: { id: service.id }, header: { 'If-Match': `"${source.version}"` } },
          body: {
            ...(composeYaml !== source.composeYaml && { composeYaml }),
            ...variablesOf(added),
            ...limitsOf(limits),
          },
        }),
      ),
    onSuccess: async (accepted) => {
      await client.invalidateQueries({ queryKey: ['service', service.id] });
      if ('deploymentId' in accepted && typeof accepted.deploymentId === 'string')
        await navigate({
          to: '/services/$id/deployments/$deploymentId',
          params: { id: service.id, deploymentId: accepted.deploymentId },
        });
      else toast('Nothing has to be deployed.');
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="text-quiet text-sm">Version {source.version}</p>
      <CodeEditor
        label="Compose file"
        value={composeYaml}
        onChange={setComposeYaml}
        details={problem?.details.filter(({ path }) => /^\/(composeYaml|services|volumes|networks)/.test(path)) ?? []}
      />
      <VariableFields legend="New variables that this file uses" variables={added} onChange={setAdded} />
      <LimitFields limits={limits} onChange={setLimits} problem={problem} />
      <ProblemNotice error={save.error} />
      {problem?.status === 409 ? (
        <Notice tone="warn">
          Somebody else may have changed this service. Copy your text, then{' '}
          <button
            type="button"
            className="underline"
            onClick={() => void client.invalidateQueries({ queryKey: sourceQuery(service.id).queryKey })}
          >
            load the newest version
          </button>
          .
        </Notice>
      ) : null}
      <div>
        <Button type="submit" look="primary" busy={save.isPending}>
          Save and deploy
        </Button>
      </div>
    </form>
  );
}
