import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { analyzeGitHub } from '../../api/limits';
import { Problem } from '../../api/problem';
import { Button } from '../../ui/button';
import { SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { GIT_HOSTS, hostOf, type GitHost } from './git-hosts';

const OF_ITS_OWN: GitHost = 'gitea';

/** Asks the panel to look into a repository before anything is deployed. */
export function AnalysisForm(): ReactNode {
  const navigate = useNavigate();
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<GitHost | null>(null);
  const [branch, setBranch] = useState('');
  const host = hostOf(url) ?? chosen ?? OF_ITS_OWN;
  const analyse = useMutation({
    mutationFn: () => {
      const path = `/api/v1/analyze/${host}` as '/api/v1/analyze/github';
      return answer(api.POST(path, { body: { repo_url: url, ...(branch && { branch }) } }));
    },
    onSuccess: ({ analysis_id: analysisId }) =>
      navigate({ to: '/deploy/analysis/$analysisId', params: { analysisId } }),
  });
  const problem = analyse.error instanceof Problem ? analyse.error : null;
  return (
    <Form narrow onSubmit={() => analyse.mutate()}>
      <p className="text-quiet text-sm">
        The panel reads the repository, says what it found and where, and fills in the form for you. Nothing is deployed
        until you say so.
      </p>
      <TextField
        label="Repository"
        limit={analyzeGitHub.repo_url}
        placeholder="https://github.com/acme/shop"
        hint="An https address that can be read without a password."
        value={url}
        onChange={setUrl}
        error={problem?.at('/repo_url')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {url === '' || hostOf(url) !== null ? null : (
          <SelectField
            label="Hosted at"
            value={host}
            onChange={(value) => setChosen(GIT_HOSTS.find(([each]) => each === value)?.[0] ?? null)}
          >
            {GIT_HOSTS.map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Branch or tag"
          limit={analyzeGitHub.branch}
          placeholder="main"
          value={branch}
          onChange={setBranch}
          error={problem?.at('/branch')}
        />
      </div>
      <ProblemNotice error={analyse.error} />
      {problem?.code === 'ai_provider_unconfigured' ? (
        <p className="text-quiet text-sm">
          You can still deploy it under “Git repository”: builds find out from the files how a program is built.
        </p>
      ) : null}
      <div>
        <Button type="submit" look="primary" busy={analyse.isPending}>
          Analyse
        </Button>
      </div>
    </Form>
  );
}
