import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import type { Analysis } from '../../api/types';
import { useChannel, useRefreshOn } from '../../live/use-live';
import { Badge, type Tone } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { Notice, ProblemNotice } from '../../ui/notice';
import { Time } from '../../ui/figures/time';
import { AnalysisFindings } from './analysis-findings';
import { analysisQuery, isOver } from './queries';

const TONES: Readonly<Record<Analysis['status'], Tone>> = {
  queued: 'busy',
  cloning: 'busy',
  analyzing: 'busy',
  completed: 'good',
  failed: 'bad',
};

/** One analysis: how far it is, what it found with the places that say so, and the way to a deployment. */
export function AnalysisPage({ id }: { id: string }): ReactNode {
  const { data: analysis, error } = useQuery(analysisQuery(id));
  useRefreshOn(`analysis:${id}`, (type) => type.startsWith('analysis.') && type !== 'analysis.progress', [
    'analysis',
    id,
  ]);
  if (error) return <ProblemNotice error={error} />;
  if (!analysis) return <Loading what="the analysis" />;
  return (
    <div className="grid grid-cols-1 gap-5">
      <Card
        title={<span className="break-all">{analysis.repo_url}</span>}
        actions={isOver(analysis.status) ? null : <CancelAnalysis id={id} />}
      >
        <Facts
          facts={[
            [
              'Status',
              <Badge key="status" tone={TONES[analysis.status]}>
                {analysis.status}
              </Badge>,
            ],
            ['Branch', analysis.branch],
            [
              'Commit',
              analysis.commit_sha ? (
                <code className="font-mono text-xs">{analysis.commit_sha.slice(0, 12)}</code>
              ) : null,
            ],
            ['Started', <Time key="asked" at={analysis.created_at} exact />],
          ]}
        />
        {isOver(analysis.status) ? null : <Progress id={id} />}
      </Card>
      {analysis.error ? (
        <Notice tone="bad">
          <p>{analysis.error.message}</p>
          <p className="mt-2">
            <Link to="/deploy/analysis" className={buttonClass()}>
              Try again
            </Link>
          </p>
        </Notice>
      ) : null}
      {analysis.result ? <AnalysisFindings analysisId={id} result={analysis.result} /> : null}
    </div>
  );
}

/** What the analysis says while it runs. */
function Progress({ id }: { id: string }) {
  const [messages, setMessages] = useState<readonly string[]>([]);
  useChannel(`analysis:${id}`, ({ type, data }) => {
    const message = data?.['message'];
    if (type === 'analysis.progress' && typeof message === 'string') setMessages((said) => [...said, message]);
  });
  return (
    <ol role="log" aria-label="Progress" className="text-quiet mt-4 grid gap-1 text-sm">
      {messages.length === 0 ? <li>Waiting for its turn …</li> : null}
      {messages.map((message, index) => (
        <li key={index}>{message}</li>
      ))}
    </ol>
  );
}

function CancelAnalysis({ id }: { id: string }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/api/v1/analyze/{id}/cancel', { params: { path: { id } } })),
    onSettled: () => client.invalidateQueries({ queryKey: ['analysis', id] }),
  });
  return (
    <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  );
}
