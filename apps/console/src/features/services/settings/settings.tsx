import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../../api/client';
import { useCan, useSession } from '../../../api/session';
import type { Service } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { Confirm } from '../../../ui/dialogs/confirm';
import { useToast } from '../../../ui/toasts';
import { GeneralForm } from './general-form';
import { LimitsForm } from './limits-form';
import { OwnerForm } from './owner-form';
import { serviceQuery } from '../queries';
import { SourceForm } from './source-form';
import { VersionList } from '../deployments/version-list';

export function ServiceSettings({ id }: { id: string }): ReactNode {
  const { data: service } = useQuery(serviceQuery(id));
  const canDelete = useCan('services:delete');
  const canUpdate = useCan('services:update');
  const { user, permissions } = useSession();
  const canAssign = user.role === 'admin' && permissions.has('org.members:read');
  const canReadSource = useCan('services.env:read');
  if (!service) return null;
  return (
    <div className="grid grid-cols-1 gap-5">
      {canUpdate && service.deploymentType !== 'compose' ? <LimitsForm service={service} /> : null}
      {canUpdate && canReadSource && service.deploymentType === 'compose' ? <SourceForm service={service} /> : null}
      {canUpdate ? <GeneralForm service={service} /> : null}
      {canUpdate && canAssign ? <OwnerForm key={service.customerId} service={service} /> : null}
      <VersionList id={id} />
      {canDelete ? <DeleteService service={service} /> : null}
    </div>
  );
}

function DeleteService({ service }: { service: Service }) {
  const [asked, setAsked] = useState(false);
  const navigate = useNavigate();
  const toast = useToast();
  const client = useQueryClient();
  const remove = async () => {
    const { message } = await answer(api.DELETE('/api/v1/services/{id}', { params: { path: { id: service.id } } }));
    toast(message);
    client.removeQueries({ queryKey: ['services'] });
    await navigate({ to: '/services', search: { page: 1 } });
  };
  return (
    <Card title="Delete this service">
      <p className="text-quiet mb-3 text-sm">
        Its containers, networks and volumes are removed, with the data in them.
      </p>
      <Button look="danger" onClick={() => setAsked(true)}>
        Delete {service.name}
      </Button>
      <Confirm
        open={asked}
        onClose={() => setAsked(false)}
        title={`Delete ${service.name}?`}
        effect={`The containers and volumes of this service are removed, and the data in them is lost.${
          service.deploymentType === 'template' ? ' Its backups stay until they expire.' : ' There is no backup of it.'
        }`}
        action="Delete"
        typed={service.name}
        run={remove}
      />
    </Card>
  );
}
