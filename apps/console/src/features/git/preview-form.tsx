import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { changeGitSettings } from '../../api/limits';
import { numberIn } from '../../api/number-in';
import { Problem } from '../../api/problem';
import type { GitSettings } from '../../api/types';
import { Button } from '../../ui/button';
import { CheckField, TextArea, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';

interface Props {
  readonly id: string;
  readonly settings: GitSettings;
  readonly onDone: () => void;
}

export function PreviewForm({ id, settings, onDone }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const [enabled, setEnabled] = useState(settings.previewsEnabled);
  const [hours, setHours] = useState(String(settings.previewHours));
  const [names, setNames] = useState(settings.previewVariables.join('\n'));
  const save = useMutation({
    mutationFn: () => {
      const previewVariables = names.split(/\s+/).filter((name) => name !== '');
      const body = { previewsEnabled: enabled, previewHours: numberIn(hours), previewVariables };
      return answer(api.PATCH('/api/v1/services/{id}/git-settings', { params: { path: { id } }, body }));
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['service', id] });
      toast('The settings of previews are saved.');
      onDone();
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  const removes = settings.previewsEnabled && !enabled;
  return (
    <Form onSubmit={() => save.mutate()}>
      <CheckField label="Make a preview for every pull request" checked={enabled} onChange={setEnabled} />
      {removes ? <p className="text-warn">The previews that exist are removed when you save.</p> : null}
      <p className="text-quiet text-xs">
        The hook has to send pull request events too: choose them for it at the Git host. Pull requests from forks get
        no preview, because anybody can open one.
      </p>
      <TextField
        label="Hours kept after the last push"
        required
        inputMode="numeric"
        limit={changeGitSettings.previewHours}
        value={hours}
        onChange={setHours}
        error={problem?.at('/previewHours')}
      />
      <TextArea
        label="Variables that previews get"
        hint="Names of variables of this service, one a line. Previews get no others, so that they do not touch real data."
        value={names}
        onChange={setNames}
        spellCheck={false}
        error={problem?.at(problem.details.find(({ path }) => path.startsWith('/previewVariables'))?.path ?? '')}
      />
      <ProblemNotice error={save.error} />
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  );
}
