import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import { Card } from '../../ui/card';
import { EmptyState, Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { MemberTable } from './member-table';
import { UsageBars } from './usage-bars';

/** What a customer sees of its own organisation. */
export function OwnOrganisation(): ReactNode {
  const canReadUsage = useCan('usage:read');
  const canReadMembers = useCan('org.members:read');
  const usage = useQuery({
    queryKey: ['own-usage'],
    enabled: canReadUsage,
    queryFn: () => answer(api.GET('/api/v1/portal/usage')),
  });
  const members = useQuery({
    queryKey: ['own-members'],
    enabled: canReadMembers,
    queryFn: () => answer(api.GET('/api/v1/portal/members')),
  });
  return (
    <Page title="Your organisation">
      {canReadUsage || canReadMembers ? null : (
        <EmptyState title="You may not see the quota and the members of your organisation.">
          <p>Ask the operator of this panel if you need to.</p>
        </EmptyState>
      )}
      <div className="grid grid-cols-1 gap-5">
        {canReadUsage ? (
          <Card title="Quota">
            <ProblemNotice error={usage.error} />
            {usage.isPending ? <Loading what="the quota" /> : null}
            {usage.data ? <UsageBars limits={usage.data.limits} used={usage.data.used} /> : null}
          </Card>
        ) : null}
        {canReadMembers ? (
          <Card flush title="Members">
            {members.error ? (
              <div className="p-4">
                <ProblemNotice error={members.error} />
              </div>
            ) : null}
            {members.isPending ? <Loading what="members" /> : null}
            {members.data ? <MemberTable members={members.data.data} /> : null}
            <p className="text-quiet border-line border-t p-4 text-xs">
              Ask the operator of this panel to add or remove somebody.
            </p>
          </Card>
        ) : null}
      </div>
    </Page>
  );
}
