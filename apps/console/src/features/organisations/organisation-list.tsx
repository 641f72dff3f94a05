import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useSession } from '../../api/session';
import { Button } from '../../ui/button';
import { nameLink } from '../../ui/classes';
import { EmptyState, Loading } from '../../ui/empty-state';
import { TextField } from '../../ui/forms/field';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { NewOrganisation } from './new-organisation';
import { organisationsQuery, useOrganisationNames, type OrganisationSearch } from './queries';

const TYPING_MS = 250;

/** The customers of the panel. */
export function OrganisationList({ search }: { search: OrganisationSearch }): ReactNode {
  const navigate = useNavigate();
  const { user, permissions } = useSession();
  const canWrite = user.role === 'admin' && permissions.has('org.members:write');
  const [creating, setCreating] = useState(false);
  const [text, setText] = useState(search.search ?? '');
  const { data, error } = useQuery(organisationsQuery(search));
  const names = useOrganisationNames((data?.data ?? []).map(({ parentId }) => parentId));
  const goTo = (next: OrganisationSearch) => void navigate({ to: '/organisations', search: next, replace: true });

  useEffect(() => {
    if (text === (search.search ?? '')) return;
    const timer = setTimeout(() => goTo({ page: 1, search: text || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const create = canWrite ? (
    <Button look="primary" onClick={() => setCreating(true)}>
      New organisation
    </Button>
  ) : null;
  const isEmpty = data?.pagination.total === 0;
  return (
    <Page title="Organisations" actions={create}>
      {(isEmpty && !search.search) || (error && !data) ? null : (
        <form role="search" className="mb-4 max-w-xl" onSubmit={(event) => event.preventDefault()}>
          <TextField label="Search by name" type="search" value={text} onChange={setText} />
        </form>
      )}
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="organisations" /> : null}
      {isEmpty ? (
        search.search ? (
          <EmptyState title="No organisation matches." />
        ) : (
          <EmptyState title="There are no organisations yet.">
            <p>An organisation is a customer: it owns services, has members who may use them, and a quota.</p>
            {create}
          </EmptyState>
        )
      ) : null}
      {data && !isEmpty ? (
        <>
          <Table
            caption="Organisations"
            rows={data.data}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Name',
                grows: true,
                cell: ({ id, name }) => (
                  <Link to="/organisations/$id" params={{ id }} className={nameLink}>
                    {name}
                  </Link>
                ),
              },
              { title: 'Part of', wide: true, cell: ({ parentId }) => (parentId ? (names[parentId] ?? '…') : '–') },
              { title: 'Members', cell: ({ members }) => members },
              { title: 'Since', wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
          <Pager
            pagination={data.pagination}
            one="organisation"
            many="organisations"
            goTo={(page) => goTo({ ...search, page })}
          />
        </>
      ) : null}
      {creating ? <NewOrganisation onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}
