import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useCan } from '../../api/session';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Members } from './members';
import { NewOrganisation } from './new-organisation';
import { organisationQuery, useOrganisationNames } from './queries';
import { QuotaForm } from './quota-form';
import { UsageBars } from './usage-bars';

/** One organisation: what it may have and has, and who belongs to it. */
export function OrganisationPage({ id }: { id: string }): ReactNode {
  const canWrite = useCan('org.members:write');
  const canReadMembers = useCan('org.members:read');
  const { data: organisation, error } = useQuery(organisationQuery(id));
  const names = useOrganisationNames([organisation?.parentId ?? null]);
  const [editing, setEditing] = useState(false);
  const [creating, setCreating] = useState(false);
  const above = (
    <>
      <Link to="/organisations" search={{ page: 1 }} className="hover:underline">
        Organisations
      </Link>
      {organisation?.parentId ? (
        <>
          {' / '}
          <Link to="/organisations/$id" params={{ id: organisation.parentId }} className="hover:underline">
            {names[organisation.parentId] ?? '…'}
          </Link>
        </>
      ) : null}
    </>
  );
  if (!organisation)
    return (
      <Page title="Organisation" isComing={!error} above={above}>
        {error ? (
          <ProblemNotice error={error} missing="There is no such organisation." />
        ) : (
          <Loading what="the organisation" />
        )}
      </Page>
    );
  return (
    <Page
      title={organisation.name}
      above={above}
      actions={canWrite ? <Button onClick={() => setCreating(true)}>New sub-organisation</Button> : null}
    >
      <div className="grid grid-cols-1 gap-5">
        <Card
          title="Quota"
          actions={canWrite && !editing ? <Button onClick={() => setEditing(true)}>Change limits</Button> : null}
        >
          {editing ? (
            <QuotaForm id={id} own={organisation.own} onDone={() => setEditing(false)} />
          ) : (
            <>
              <UsageBars limits={organisation.quota.limits} used={organisation.quota.used} />
              <p className="text-quiet mt-4 text-xs">
                This counts the limits of all services, also of stopped ones, and of sub-organisations. If this
                organisation is part of another, the limits of that one apply as well.
              </p>
            </>
          )}
        </Card>
        {canReadMembers ? <Members organisation={organisation} /> : null}
      </div>
      {creating ? <NewOrganisation parent={organisation} onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
