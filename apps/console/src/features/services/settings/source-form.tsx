import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../../api/problem';
import type { Service, ServiceSource } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Form } from '../../../ui/forms/form';
import { Card } from '../../../ui/card';
import { CodeEditor } from '../../../ui/forms/code-editor';
import { Loading } from '../../../ui/empty-state';
import { Notice, ProblemNotice } from '../../../ui/notice';
import { LimitFields, limitsOf, textsOf } from '../source/limit-fields';
import { sourceQuery } from '../queries';
import { isOfFile } from '../source/compose-places';
import { MissingVariables, missingNames } from '../source/missing-variables';
import { useChange } from './use-change';
import { VariableFields, variablesOf, type Variable } from '../source/variable-fields';

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
      {shown && data ? <Editor key={data.version} service={service} source={data} /> : null}
    </Card>
  );
}

function Editor({ service, source }: { service: Service; source: ServiceSource }) {
  const client = useQueryClient();
  const [composeYaml, setComposeYaml] = useState(source.composeYaml);
  const [added, setAdded] = useState<readonly Variable[]>([]);
  const [limits, setLimits] = useState(textsOf(service.resourceLimits));
  const save = useChange(service.id, source.version);
  const changes = {
    ...(composeYaml !== source.composeYaml && { composeYaml }),
    ...variablesOf(added),
    ...limitsOf(limits),
  };
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Form onSubmit={() => save.mutate(changes)}>
      <p className="text-quiet text-sm">Version {source.version}</p>
      <CodeEditor
        label="Compose file"
        value={composeYaml}
        onChange={setComposeYaml}
        details={problem?.details.filter(({ path }) => isOfFile(path)) ?? []}
      />
      <VariableFields legend="New variables" problem={problem} variables={added} onChange={setAdded} />
      <MissingVariables
        names={missingNames(composeYaml, [...Object.keys(source.variables), ...added.map(({ name }) => name)])}
        onAdd={(name) => setAdded([...added, { name, value: '' }])}
      />
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
    </Form>
  );
}
