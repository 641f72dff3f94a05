import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { Button } from '../../ui/button';
import { EmptyState, Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';

/** Who did what. Entries are only ever added. */
export function AuditLog(): ReactNode {
  const [page, setPage] = useState(1);
  const { data, error } = useQuery({
    queryKey: ['audit', page],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(api.GET('/api/v1/audit', { params: { query: { page: String(page), pageSize: '50' } as never } })),
  });
  return (
    <Page title="Audit log">
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="the audit log" /> : null}
      {data?.data.length === 0 ? <EmptyState title="Nothing was recorded yet." /> : null}
      {data && data.data.length > 0 ? (
        <>
          <Table
            caption="Audit log"
            rows={data.data}
            keyOf={({ id }) => id}
            columns={[
              { title: 'When', cell: ({ at }) => <Time at={at} exact /> },
              { title: 'What', cell: ({ action }) => <code className="font-mono text-xs">{action}</code> },
              {
                title: 'By',
                wide: true,
                cell: ({ userId, apiKeyId }) => <Short id={apiKeyId ?? userId} kind={apiKeyId ? 'key' : 'user'} />,
              },
              {
                title: 'Target',
                wide: true,
                cell: ({ target }) => <span className="text-xs break-all">{target ?? '–'}</span>,
              },
            ]}
          />
          <div className="mt-3 flex items-center justify-end gap-2 text-sm">
            <span className="text-quiet">
              Page {data.pagination.page} of {Math.max(1, data.pagination.totalPages)}
            </span>
            <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
              Newer
            </Button>
            <Button disabled={page >= data.pagination.totalPages} onClick={() => setPage(page + 1)}>
              Older
            </Button>
          </div>
        </>
      ) : null}
    </Page>
  );
}

const Short = ({ id, kind }: { id: string | null; kind: string }) =>
  id ? (
    <code className="font-mono text-xs" title={id}>
      {kind} …{id.slice(-8)}
    </code>
  ) : (
    <>–</>
  );
