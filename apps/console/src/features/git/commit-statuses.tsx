import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../api/session';
import type { GitSettings } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { Time } from '../../ui/figures/time';
import { ProblemNotice } from '../../ui/notice';
import { CommitStatusForm } from './commit-status-form';
import { hostTitle } from './status-tokens';
import { gitSettingsQuery } from './queries';

/** Whether the Git host is told how the deployment of a commit ends, and what it was told last. */
export function CommitStatuses({ id }: { id: string }) {
  const canWrite = useCan('services:update');
  const { data: settings, error } = useQuery(gitSettingsQuery(id));
  const [editing, setEditing] = useState(false);
  const hasToken = settings?.hasStatusToken ?? false;
  return (
    <Card
      title="Statuses at commits"
      actions={
        canWrite && settings && !editing ? (
          <Button onClick={() => setEditing(true)}>{hasToken ? 'Change statuses' : 'Set up statuses'}</Button>
        ) : null
      }
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        <p className="text-quiet">
          The Git host can show at each commit whether its deployment is pending, has worked or has failed, with a link
          to the deployment. The panel needs a token of the host for this.
        </p>
        <ProblemNotice error={error} />
        {!settings && !error ? <Loading what="the settings of statuses" /> : null}
        {settings && editing ? <CommitStatusForm id={id} settings={settings} onDone={() => setEditing(false)} /> : null}
        {settings && !editing ? (
          <Facts
            facts={[
              ['Statuses', hasToken ? 'on, with a token that is stored and never shown' : 'off'],
              ['Kind of Git host', hasToken ? hostTitle(settings.statusProvider) : undefined],
              [
                'Last status',
                hasToken || settings.lastStatus ? <LastStatus key="last" id={id} settings={settings} /> : undefined,
              ],
            ]}
          />
        ) : null}
      </div>
    </Card>
  );
}

const TONES: Readonly<Record<NonNullable<GitSettings['lastStatus']>['state'], Tone>> = {
  pending: 'busy',
  success: 'good',
  failure: 'bad',
  cancelled: 'neutral',
};

function LastStatus({ id, settings: { lastStatus } }: { id: string; settings: GitSettings }) {
  if (!lastStatus) return 'none yet; the next deployment of a commit sets one';
  const { deploymentId, state, error, at } = lastStatus;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={TONES[state]}>{state}</Badge>
        <Time at={at} exact />
        <Link to="/services/$id/deployments/$deploymentId" params={{ id, deploymentId }} className="underline">
          Deployment
        </Link>
      </span>
      {error ? (
        <p className="text-bad mt-1">
          The Git host did not take it: {error} Check that the token is valid and may set statuses of this repository.
        </p>
      ) : null}
    </>
  );
}
