import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { setOrganisationQuota } from '../../api/limits';
import { numberIn } from '../../api/number-in';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';
import { KINDS, type Limits } from './usage-bars';

const textOf = (limit: number | null): string => (limit === null ? '' : String(limit));

/** What is empty is no limit. */
const optional = <Limit extends object>(limit: Limit) => ({ ...limit, required: false });
const LIMITS = {
  services: optional(setOrganisationQuota.services),
  cpuCores: optional(setOrganisationQuota.cpuCores),
  memoryMb: optional(setOrganisationQuota.memoryMb),
  diskMb: optional(setOrganisationQuota.diskMb),
};

/** The limits of the organisation itself; an empty field is no limit. */
export function QuotaForm({ id, own, onDone }: { id: string; own: Limits; onDone: () => void }) {
  const client = useQueryClient();
  const toast = useToast();
  const [texts, setTexts] = useState({
    services: textOf(own.services),
    cpuCores: textOf(own.cpuCores),
    memoryMb: textOf(own.memoryMb),
    diskMb: textOf(own.diskMb),
  });
  const save = useMutation({
    mutationFn: () => {
      const limit = (text: string) => (text.trim() === '' ? null : numberIn(text));
      const body = {
        services: limit(texts.services),
        cpuCores: limit(texts.cpuCores),
        memoryMb: limit(texts.memoryMb),
        diskMb: limit(texts.diskMb),
      };
      return answer(api.PUT('/api/v1/organisations/{id}/quota', { params: { path: { id } }, body }));
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['organisations', 'one', id] });
      toast('The limits are saved. They apply from the next deployment; nothing that runs is stopped.');
      onDone();
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Form onSubmit={() => save.mutate()}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {KINDS.map(([kind, title, unit]) => (
          <TextField
            key={kind}
            label={unit ? `${title} in${unit}` : title}
            inputMode="decimal"
            placeholder="no limit"
            limit={LIMITS[kind]}
            value={texts[kind]}
            onChange={(text) => setTexts({ ...texts, [kind]: text })}
            error={problem?.at(`/${kind}`)}
          />
        ))}
      </div>
      <ProblemNotice error={save.error} />
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          Save limits
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  );
}
