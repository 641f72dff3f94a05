import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCan } from '../../api/session';
import { buttonClass } from '../../ui/button';
import { Card } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Prose } from '../../ui/prose';
import { templatesQuery } from './queries';

/** The databases that can be had at once. */
export function TemplateList(): ReactNode {
  const canDeploy = useCan('templates:deploy');
  const { data, error } = useQuery(templatesQuery);
  if (error) return <ProblemNotice error={error} />;
  if (!data) return <Loading what="templates" />;
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {data.data.map(({ id, name, version, description, minRamMb, defaultPort, documentationUrl }) => (
        <Card key={id} title={`${name} ${version}`} className="flex flex-col [&>div]:flex [&>div]:flex-col">
          <p className="text-sm">
            <Prose text={description} />
          </p>
          <p className="text-quiet mt-2 text-xs">
            At least {minRamMb} MB of memory, port {defaultPort}.{' '}
            <a className="underline" href={documentationUrl} rel="noreferrer">
              Manual
            </a>
          </p>
          {canDeploy ? (
            <p className="mt-auto pt-4">
              <Link to="/deploy/template/$templateId" params={{ templateId: id }} className={buttonClass('primary')}>
                Deploy {name}
              </Link>
            </p>
          ) : null}
        </Card>
      ))}
    </div>
  );
}
