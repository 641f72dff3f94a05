import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { changeGitSettings } from '../../api/limits';
import { Problem } from '../../api/problem';
import type { GitSettings } from '../../api/types';
import { Button } from '../../ui/button';
import { CheckField, SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';
import { GIT_HOSTS } from '../analysis/git-hosts';
import { hostIn, tokenHint } from './status-tokens';

interface Props {
  readonly id: string;
  readonly settings: GitSettings;
  readonly onDone: () => void;
}

/** The token is written here and never read again: it leaves this page with the request alone. */
export function CommitStatusForm({ id, settings, onDone }: Props) {
  const client = useQueryClient();
  const toast = useToast();
  const [host, setHost] = useState(settings.statusProvider);
  const [token, setToken] = useState('');
  const [forgets, setForgets] = useState(false);
  const stored = settings.hasStatusToken;
  const save = useMutation({
    mutationFn: () => {
      const statusToken = forgets ? { statusToken: null } : token === '' ? {} : { statusToken: token.trim() };
      const body = { statusProvider: host, ...statusToken };
      return answer(api.PATCH('/api/v1/services/{id}/git-settings', { params: { path: { id } }, body }));
    },
    onSuccess: async ({ hasStatusToken }) => {
      await client.invalidateQueries({ queryKey: ['service', id] });
      toast(hasStatusToken ? 'The Git host is told of the next deployment.' : 'The Git host is told nothing any more.');
      onDone();
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Form onSubmit={() => save.mutate()}>
      <SelectField
        label="Kind of Git host"
        hint="Choose one for a host of your own; github.com, gitlab.com and bitbucket.org are known by their names."
        value={host ?? ''}
        onChange={(value) => setHost(hostIn(value))}
        error={problem?.at('/statusProvider')}
      >
        <option value="">Known by its name</option>
        {GIT_HOSTS.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </SelectField>
      {forgets ? null : (
        <TextField
          label={stored ? 'New token' : 'Token'}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required={!stored}
          limit={changeGitSettings.statusToken}
          hint={`${tokenHint(host)} ${stored ? 'A token is stored. Leave this empty to keep it.' : 'It is never shown again.'}`}
          value={token}
          onChange={setToken}
          error={problem?.at('/statusToken')}
        />
      )}
      {stored ? (
        <CheckField label="Forget the token and set no more statuses" checked={forgets} onChange={setForgets} />
      ) : null}
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
