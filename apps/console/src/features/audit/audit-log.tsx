import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import type { AuditEntry } from '../../api/types';
import { nameLink } from '../../ui/classes';
import { EmptyState, Loading } from '../../ui/empty-state';
import { SelectField } from '../../ui/forms/field';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Table } from '../../ui/table';
import { Time } from '../../ui/figures/time';
import { ACTION_WORDS } from './action-words';

/** Longer ones are shown by their end. */
const SHORT = 24;

/** Who did what. Entries are only ever added. */
export function AuditLog(): ReactNode {
  const [page, setPage] = useState(1);
  const [action, setAction] = useState('');
  const { data, error } = useQuery({
    queryKey: ['audit', page, action],
    placeholderData: keepPreviousData,
    queryFn: () => {
      const query = { page: String(page), pageSize: '50', ...(action && { action }) } as never;
      return answer(api.GET('/api/v1/audit', { params: { query } }));
    },
  });
  return (
    <Page title="Audit log">
      <div className="mb-4 max-w-sm">
        <SelectField
          label="What was done"
          value={action}
          onChange={(next) => {
            setAction(next);
            setPage(1);
          }}
        >
          <option value="">Everything</option>
          {Object.entries(ACTION_WORDS).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </SelectField>
      </div>
      <ProblemNotice error={error} />
      {!data && !error ? <Loading what="the audit log" /> : null}
      {data?.data.length === 0 ? <EmptyState title="Nothing was recorded yet." /> : null}
      {data && data.data.length > 0 ? (
        <>
          <Table
            stacks
            caption="Audit log"
            rows={data.data}
            keyOf={({ id }) => id}
            columns={[
              { title: 'When', cell: ({ at }) => <Time at={at} exact /> },
              {
                title: 'What',
                grows: true,
                cell: ({ action: done }) => <span title={done}>{ACTION_WORDS[done]}</span>,
              },
              { title: 'Who', cell: (entry) => <Who entry={entry} /> },
              {
                title: 'Concerns',
                widest: true,
                cell: (entry) => <Target entry={entry} />,
              },
            ]}
          />
          <Pager pagination={data.pagination} one="entry" many="entries" goTo={setPage} />
        </>
      ) : null}
    </Page>
  );
}

const OF_A_SERVICE: readonly AuditEntry['action'][] = [
  'service.source_read',
  'credentials.revealed',
  'credentials.rotated',
];

/** Ids are long and say little: their end is enough to tell them apart, and the rest shows on hover. */
function Target({ entry: { action, target } }: { entry: AuditEntry }) {
  if (!target) return <span className="text-quiet">–</span>;
  const short = target.length > SHORT ? `…${target.slice(-8)}` : target;
  return OF_A_SERVICE.includes(action) ? (
    <Link to="/services/$id" params={{ id: target }} className={nameLink} title={target}>
      service {short}
    </Link>
  ) : (
    <code className="font-mono text-xs" title={target}>
      {short}
    </code>
  );
}

/** No user: somebody who could not sign in, or the staff with its command line. */
function Who({ entry: { action, userId, userEmail, apiKeyId } }: { entry: AuditEntry }) {
  if (!userId) return <span className="text-quiet">{action === 'sign_in.refused' ? 'not signed in' : 'staff'}</span>;
  return (
    <span className="[overflow-wrap:anywhere] xl:whitespace-nowrap" title={userId}>
      {userEmail ?? `user …${userId.slice(-8)}`}
      {apiKeyId ? (
        <span className="text-quiet block text-xs" title={apiKeyId}>
          with an API key
        </span>
      ) : null}
    </span>
  );
}
