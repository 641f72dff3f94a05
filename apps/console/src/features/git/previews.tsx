import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCan } from '../../api/session';
import type { Service } from '../../api/types';
import { Button } from '../../ui/button';
import { nameLink } from '../../ui/classes';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { Time } from '../../ui/figures/time';
import { ProblemNotice } from '../../ui/notice';
import { StatusBadge } from '../services/status-badge';
import { PreviewForm } from './preview-form';
import { gitSettingsQuery, previewsQuery } from './queries';

/** Services of their own for pull requests: whether there are any, and which. */
export function Previews({ service }: { service: Service }) {
  const canWrite = useCan('services:update');
  const { data: settings, error } = useQuery(gitSettingsQuery(service.id));
  const [editing, setEditing] = useState(false);
  return (
    <Card
      title="Previews of pull requests"
      actions={
        canWrite && settings && !editing ? <Button onClick={() => setEditing(true)}>Change previews</Button> : null
      }
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        <p className="text-quiet">
          A preview is a service of its own that is built from the branch of a pull request, so that you can try it
          before it is merged. It is removed when the pull request is closed.
        </p>
        <ProblemNotice error={error} />
        {!settings && !error ? <Loading what="the settings of previews" /> : null}
        {settings && editing ? (
          <PreviewForm id={service.id} settings={settings} onDone={() => setEditing(false)} />
        ) : null}
        {settings && !editing ? (
          <Facts
            facts={[
              ['Previews', settings.previewsEnabled ? 'on' : 'off'],
              ['Kept for', `${settings.previewHours} hours after the last push`],
              ['Variables', settings.previewVariables.join(', ') || 'none'],
            ]}
          />
        ) : null}
        {settings?.previewsEnabled ? <PreviewList service={service} /> : null}
      </div>
    </Card>
  );
}

function PreviewList({ service }: { service: Service }) {
  const { data, error } = useQuery(previewsQuery(service));
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="previews" />;
  if (data.length === 0) return <p>There is no preview at the moment. Open a pull request to get one.</p>;
  return (
    <ul className="divide-line divide-y">
      {data.map(({ id, name, status, preview }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <StatusBadge status={status} />
          <Link to="/services/$id" params={{ id }} className={nameLink}>
            {name}
          </Link>
          <span className="text-quiet">
            pull request {preview?.pullRequest}, kept until <Time at={preview?.expiresAt} exact />
          </span>
        </li>
      ))}
    </ul>
  );
}
