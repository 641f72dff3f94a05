import type { ReactNode } from 'react';
import type { Member } from '../../api/types';
import { Badge } from '../../ui/badge';
import { Table, type Column } from '../../ui/table';
import { Time } from '../../ui/figures/time';

/** The people of an organisation. @param actions what can be done with one, for those who may */
export function MemberTable({
  members,
  actions,
}: {
  members: readonly Member[];
  actions?: (member: Member) => ReactNode;
}) {
  const columns: Column<Member>[] = [
    {
      title: 'E-mail',
      grows: true,
      cell: ({ email, isDisabled, hasSignedIn }) => (
        <span className="flex flex-wrap items-center gap-2 break-all">
          {email}
          {isDisabled ? <Badge tone="bad">disabled</Badge> : null}
          {hasSignedIn || isDisabled ? null : <Badge tone="neutral">has not signed in yet</Badge>}
        </span>
      ),
    },
    {
      title: 'May do',
      wide: true,
      cell: ({ role, permissions }) => (
        <span className="whitespace-nowrap" title={permissions?.join('\n')}>
          {permissions ? `${permissions.length} permissions` : `everything (${role})`}
        </span>
      ),
    },
    { title: 'Since', wide: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    ...(actions ? [{ title: 'Actions', quiet: true, cell: actions }] : []),
  ];
  return <Table plain caption="Members" rows={members} keyOf={({ userId }) => userId} columns={columns} />;
}
