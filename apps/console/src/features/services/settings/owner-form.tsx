import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../../api/problem';
import type { Service } from '../../../api/types';
import { Button } from '../../../ui/button';
import { Card } from '../../../ui/card';
import { SelectField, TextField } from '../../../ui/forms/field';
import { Form } from '../../../ui/forms/form';
import { ProblemNotice } from '../../../ui/notice';
import { organisationsQuery, useOrganisationNames } from '../../organisations/queries';
import { useChange } from './use-change';

/** To which customer a service belongs. */
export function OwnerForm({ service }: { service: Service }) {
  const [search, setSearch] = useState('');
  const [owner, setOwner] = useState(service.customerId ?? '');
  const { data, error } = useQuery(organisationsQuery({ page: 1, search: search || undefined }));
  const names = useOrganisationNames([service.customerId, owner || null]);
  const save = useChange(service.id);
  const problem = save.error instanceof Problem ? save.error : null;
  const found = (data?.data ?? []).filter(({ id }) => id !== owner);
  const isChanged = owner !== (service.customerId ?? '');
  return (
    <Card title="Owner">
      <Form onSubmit={() => save.mutate({ customerId: owner || null })}>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TextField
            label="Find an organisation"
            type="search"
            placeholder="part of its name"
            value={search}
            onChange={setSearch}
          />
          <SelectField
            label="Organisation"
            value={owner}
            onChange={setOwner}
            hint={data && data.pagination.total > data.data.length ? 'There are more: search by name.' : undefined}
            error={problem?.at('/customerId')}
          >
            <option value="">nobody: only admins see it</option>
            {owner ? <option value={owner}>{names[owner] ?? '…'}</option> : null}
            {found.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <ProblemNotice error={error ?? save.error} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={save.isPending} disabled={!isChanged}>
            Save the owner
          </Button>
          <span className="text-quiet text-xs">
            Members of the organisation see and use the service, and it counts towards their quota.
          </span>
        </div>
      </Form>
    </Card>
  );
}
