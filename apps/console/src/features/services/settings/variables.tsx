import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Problem } from '../../../api/problem';
import { useCan } from '../../../api/session';
import type { ServiceSource } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Form } from '../../../ui/forms/form';
import { Card } from '../../../ui/card';
import { Loading } from '../../../ui/empty-state';
import { ProblemNotice } from '../../../ui/notice';
import { sourceQuery } from '../queries';
import { useChange } from './use-change';
import { keptVariables, variableChanges, VariableFields } from '../source/variable-fields';

/** The names of a service's variables. Values are written and never shown again; looking is recorded. */
export function Variables({ id }: { id: string }): ReactNode {
  const [shown, setShown] = useState(false);
  const { data, error } = useQuery({ ...sourceQuery(id), enabled: shown });
  return (
    <Card title="Variables">
      <div className="grid grid-cols-1 gap-4 text-sm">
        <p className="text-quiet">
          A compose file uses them as <code className="font-mono text-xs">{'${NAME}'}</code>; a program from a
          repository finds them in its environment. Values are stored encrypted and are not shown again to anybody.
        </p>
        {shown ? null : (
          <div className="flex flex-wrap items-center gap-3">
            <Button onClick={() => setShown(true)}>Show the names</Button>
            <span className="text-quiet text-xs">The audit log records that you looked.</span>
          </div>
        )}
        <ProblemNotice error={error} />
        {shown && !data && !error ? <Loading what="variables" /> : null}
        {shown && data ? <Editor key={data.version} id={id} source={data} /> : null}
      </div>
    </Card>
  );
}

function Editor({ id, source }: { id: string; source: ServiceSource }) {
  const canWrite = useCan('services.env:write');
  const names = Object.keys(source.variables);
  const [variables, setVariables] = useState(keptVariables(names));
  const changes = variableChanges(names, variables);
  const save = useChange(id, source.version);
  const problem = save.error instanceof Problem ? save.error : null;
  if (!canWrite)
    return names.length === 0 ? (
      <p>This service has no variables.</p>
    ) : (
      <ul className="grid gap-1 font-mono text-xs">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    );
  return (
    <Form onSubmit={() => save.mutate(changes)}>
      {variables.length === 0 ? <p>This service has no variables.</p> : null}
      <VariableFields legend={null} problem={problem} variables={variables} onChange={setVariables} />
      <ProblemNotice error={save.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!changes.variables}>
          Save and deploy
        </Button>
        <span className="text-quiet text-xs">
          {changes.variables ? 'The service is deployed with them at once.' : 'Nothing is changed yet.'}
        </span>
      </div>
    </Form>
  );
}
