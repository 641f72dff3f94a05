import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { useSession } from '../../api/session';
import type { Permission, Service, ServiceStatus } from '../../api/types';
import { Button } from '../../ui/button';
import { Confirm } from '../../ui/dialogs/confirm';
import { Dialog } from '../../ui/dialogs/dialog';
import { ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';

type Action = 'start' | 'stop' | 'restart' | 'redeploy' | 'suspend' | 'unsuspend';

interface Offer {
  readonly title: string;
  readonly permission: Permission;
  readonly from: readonly ServiceStatus[];
  /** What happens, for actions that people ask twice about. */
  readonly effect?: string;
}

const OFFERS: Readonly<Record<Action, Offer>> = {
  start: { title: 'Start', permission: 'services:control', from: ['stopped', 'error'] },
  stop: {
    title: 'Stop',
    permission: 'services:control',
    from: ['running', 'starting', 'restarting'],
    effect: 'The containers stop. Data in volumes stays, and the service can be started again.',
  },
  restart: { title: 'Restart', permission: 'services:control', from: ['running'] },
  redeploy: { title: 'Redeploy', permission: 'services:deploy', from: ['running', 'stopped', 'error'] },
  suspend: {
    title: 'Suspend',
    permission: 'services:suspend',
    from: ['running', 'stopped', 'error'],
    effect: 'The containers stop, and the customer cannot start them until the suspension is lifted.',
  },
  unsuspend: { title: 'Lift suspension', permission: 'services:suspend', from: ['suspended'] },
};
const ALL = Object.keys(OFFERS) as Action[];

const call = (id: string, action: Action) =>
  answer(api.POST(`/api/v1/services/{id}/${action}` as '/api/v1/services/{id}/start', { params: { path: { id } } }));

/** What leads out of a status that nobody wants a service to stay in. */
const isWayOut = (action: Action, status: ServiceStatus): boolean =>
  (status === 'error' && action === 'redeploy') ||
  (status === 'stopped' && action === 'start') ||
  (status === 'suspended' && action === 'unsuspend');

/** What can be done with the service in its present status. The answer says only that it was accepted. */
export function ServiceActions({ service }: { service: Service }) {
  const { permissions, user } = useSession();
  const [asked, setAsked] = useState<Action | null>(null);
  const client = useQueryClient();
  const toast = useToast();
  const perform = useMutation({
    mutationFn: (action: Action) => call(service.id, action),
    onSuccess: async ({ message }) => {
      toast(message);
      await client.invalidateQueries({ queryKey: ['service', service.id] });
    },
  });
  const offered = ALL.filter((action) => {
    const { permission, from } = OFFERS[action];
    return (
      permissions.has(permission) &&
      from.includes(service.status) &&
      (user.role === 'admin' || !action.includes('suspend'))
    );
  });
  return (
    <>
      {offered.map((action) => (
        <Button
          key={action}
          look={isWayOut(action, service.status) ? 'primary' : 'plain'}
          busy={perform.isPending && perform.variables === action}
          onClick={() => (OFFERS[action].effect ? setAsked(action) : perform.mutate(action))}
        >
          {OFFERS[action].title}
        </Button>
      ))}
      {asked ? (
        <Confirm
          open
          onClose={() => setAsked(null)}
          title={`${OFFERS[asked].title} ${service.name}?`}
          effect={OFFERS[asked].effect}
          action={OFFERS[asked].title}
          run={() => perform.mutateAsync(asked)}
        />
      ) : null}
      <Dialog open={perform.isError && asked === null} onClose={() => perform.reset()} title="This was not possible">
        <ProblemNotice error={perform.error} />
        <div className="mt-4 flex justify-end">
          <Button onClick={() => perform.reset()}>Close</Button>
        </div>
      </Dialog>
    </>
  );
}
