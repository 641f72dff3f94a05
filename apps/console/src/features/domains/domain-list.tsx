import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { useCan } from '../../api/session';
import type { Domain } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { EmptyState, Loading } from '../../ui/empty-state';
import { ProblemNotice } from '../../ui/notice';
import { NewDomain } from './new-domain';
import { domainsQuery } from './queries';
import { VerificationHelp } from './verification-help';

const TONES: Readonly<Record<Domain['status'], Tone>> = { active: 'good', pending: 'busy', failed: 'bad' };

/** The names under which a service is on the web. */
export function DomainList({ id }: { id: string }): ReactNode {
  const client = useQueryClient();
  const canWrite = useCan('domains:write');
  const { data, error } = useQuery(domainsQuery(id));
  const [removing, setRemoving] = useState<Domain | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['service', id] });
  const change = useMutation({
    mutationFn: (domain: Domain) =>
      answer(api.PATCH('/api/v1/domains/{id}', { params: { path: { id: domain.id } }, body: { isPrimary: true } })),
    onSuccess: refresh,
  });
  const verify = useMutation({
    mutationFn: (domain: Domain) =>
      answer(api.POST('/api/v1/domains/{id}/verify', { params: { path: { id: domain.id } } })),
    onSuccess: refresh,
  });
  const remove = async (domain: Domain) => {
    await api.DELETE('/api/v1/domains/{id}', { params: { path: { id: domain.id } } });
    await refresh();
  };
  return (
    <div className="grid grid-cols-1 gap-5">
      <ProblemNotice error={error ?? change.error ?? verify.error} />
      {!data && !error ? <Loading what="domains" /> : null}
      {data?.data.length === 0 ? (
        <EmptyState title="This service has no domain.">
          <p>A domain puts it on the web. Without one, only your other services can reach it.</p>
        </EmptyState>
      ) : null}
      {data?.data.map((domain) => (
        <Card
          key={domain.id}
          title={
            <span className="flex flex-wrap items-center gap-2 break-all">
              {domain.status === 'active' ? (
                <a href={`https://${domain.host}`} className="underline">
                  {domain.host}
                </a>
              ) : (
                domain.host
              )}
              <Badge tone={TONES[domain.status]}>{domain.status}</Badge>
              {domain.isPrimary ? <Badge tone="neutral">primary</Badge> : null}
            </span>
          }
          actions={
            canWrite ? (
              <>
                {domain.status === 'active' ? null : (
                  <Button
                    busy={verify.isPending && verify.variables.id === domain.id}
                    onClick={() => verify.mutate(domain)}
                  >
                    Check now
                  </Button>
                )}
                {domain.isPrimary ? null : <Button onClick={() => change.mutate(domain)}>Make primary</Button>}
                <Button look="danger" aria-label={`Remove ${domain.host}`} onClick={() => setRemoving(domain)}>
                  Remove
                </Button>
              </>
            ) : null
          }
        >
          <p className="text-quiet text-sm">
            Leads to {domain.targetService}, port {domain.targetPort}.{' '}
            {domain.tls === 'off' ? 'Plain HTTP.' : `HTTPS, certificate: ${domain.tls}.`}
          </p>
          <VerificationHelp domain={domain} />
        </Card>
      ))}
      {canWrite ? <NewDomain serviceId={id} /> : null}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.host ?? ''}?`}
        effect="The service is no longer reachable under this name. The service itself keeps running."
        action="Remove"
        run={() => remove(removing!)}
      />
    </div>
  );
}
