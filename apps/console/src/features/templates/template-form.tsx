import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { deployTemplate } from '../../api/limits';
import { Problem } from '../../api/problem';
import type { Template } from '../../api/types';
import { Button } from '../../ui/button';
import { EmptyState, Loading } from '../../ui/empty-state';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { Prose } from '../../ui/prose';
import { LimitFields, limitsOf, NO_LIMITS } from '../services/source/limit-fields';
import { templatesQuery } from './queries';
import { useDeployed } from '../services/source/use-deployed';

export function TemplateForm({ templateId }: { templateId: string }): ReactNode {
  const { data, error } = useQuery(templatesQuery);
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="the template" />;
  const template = data.data.find(({ id }) => id === templateId);
  return template ? <Deploy template={template} /> : <EmptyState title="There is no such template." />;
}

/** A form made from the variables of the template. Whatever is empty gets the template's default or is generated. */
function Deploy({ template }: { template: Template }) {
  const deployed = useDeployed();
  const [name, setName] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [limits, setLimits] = useState(NO_LIMITS);
  const deploy = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/v1/templates/{id}/deploy', {
          params: { path: { id: template.id } },
          body: {
            name,
            variables: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
            ...limitsOf(limits),
          },
        }),
      ),
    onSuccess: deployed,
  });
  const problem = deploy.error instanceof Problem ? deploy.error : null;
  const shown = template.variables.filter(({ applies }) => applies);
  return (
    <Form narrow onSubmit={() => deploy.mutate()}>
      <h2>
        {template.name} {template.version}
      </h2>
      <TextField
        label="Name of the service"
        limit={deployTemplate.name}
        value={name}
        onChange={setName}
        error={problem?.at('/name')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {shown.map((variable) => (
          <TextField
            key={variable.name}
            label={variable.label}
            type={variable.type === 'password' ? 'password' : 'text'}
            autoComplete={variable.type === 'password' ? 'new-password' : 'off'}
            placeholder={variable.generated ? 'generated for you' : (variable.default ?? '')}
            pattern={variable.pattern || undefined}
            hint={<Prose text={variable.description} />}
            value={values[variable.name] ?? ''}
            onChange={(value) => setValues({ ...values, [variable.name]: value })}
            error={problem?.at(`/variables/${variable.name}`)}
          />
        ))}
      </div>
      <LimitFields limits={limits} onChange={setLimits} problem={problem} />
      <p className="text-quiet text-sm">
        Your other services reach the database by its name. Once it runs, you find host, user and password under
        Credentials.
      </p>
      <ProblemNotice error={deploy.error} />
      <div>
        <Button type="submit" look="primary" busy={deploy.isPending}>
          Deploy {template.name}
        </Button>
      </div>
    </Form>
  );
}
