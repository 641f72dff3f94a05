import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import type { Member } from '../../api/types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { AddMember } from './add-member';
import { MemberTable } from './member-table';
import { membersQuery } from './queries';

export function Members({ organisation }: { organisation: { readonly id: string; readonly name: string } }) {
  const { id, name } = organisation;
  const client = useQueryClient();
  const canWrite = useCan('org.members:write');
  const { data, error } = useQuery(membersQuery(id));
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  const remove = useMutation({
    mutationFn: (userId: string) =>
      api.DELETE('/api/v1/organisations/{id}/members/{userId}', { params: { path: { id, userId } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['organisations'] }),
  });
  return (
    <Card
      flush
      title="Members"
      actions={canWrite ? <Button onClick={() => setAdding(true)}>Add a member</Button> : null}
    >
      {error ? (
        <div className="p-4">
          <ProblemNotice error={error} />
        </div>
      ) : null}
      {!data && !error ? <Loading what="members" /> : null}
      {data?.data.length === 0 ? (
        <p className="text-quiet p-4 text-sm">
          Nobody belongs to this organisation yet. Add a member, so that somebody can use its services.
        </p>
      ) : null}
      {data && data.data.length > 0 ? (
        <MemberTable
          members={data.data}
          {...(canWrite && {
            actions: (member: Member) => (
              <Button look="danger" aria-label={`Remove ${member.email}`} onClick={() => setRemoving(member)}>
                Remove
              </Button>
            ),
          })}
        />
      ) : null}
      {adding ? <AddMember organisation={organisation} onClose={() => setAdding(false)} /> : null}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.email ?? ''} from ${name}?`}
        effect="They no longer see its services, and the keys they made for it stop working at once. Their user stays."
        action="Remove"
        run={() => remove.mutateAsync(removing!.userId)}
      />
    </Card>
  );
}
