import { useState } from 'react';
import { Problem } from '../../../api/problem';
import type { Service } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Form } from '../../../ui/forms/form';
import { ProblemNotice } from '../../../ui/notice';
import { LimitFields, limitsOf, textsOf } from '../source/limit-fields';
import { useChange } from './use-change';

/** The limits of a service whose compose file the panel writes itself. */
export function LimitsForm({ service }: { service: Service }) {
  const [limits, setLimits] = useState(textsOf(service.resourceLimits));
  const save = useChange(service.id);
  const isChanged = JSON.stringify(limits) !== JSON.stringify(textsOf(service.resourceLimits));
  return (
    <Card title="Limits">
      <Form onSubmit={() => save.mutate(limitsOf(limits))}>
        <LimitFields
          hasLegend={false}
          limits={limits}
          onChange={setLimits}
          problem={save.error instanceof Problem ? save.error : null}
        />
        <ProblemNotice error={save.error} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={save.isPending} disabled={!isChanged}>
            Save and deploy
          </Button>
          <span className="text-quiet text-xs">
            {isChanged ? 'The service is deployed again with these limits.' : 'Nothing is changed yet.'}
          </span>
        </div>
      </Form>
    </Card>
  );
}
