import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { SelectField, TextField } from '../../../ui/forms/field';
import type { ServiceSearch } from '../queries';

const STATUSES = [
  'running',
  'error',
  'stopped',
  'suspended',
  'pending',
  'deploying',
  'starting',
  'stopping',
  'restarting',
  'removing',
];
const TYPING_MS = 250;

/** The filter is part of the address, so that it can be shared and survives a reload. */
export function ServiceFilters({ search }: { search: ServiceSearch }) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.search ?? '');
  const typed = useRef(text);
  // On top of what the address holds then: a text that was typed a moment ago must not undo a choice made since.
  const change = (next: Partial<ServiceSearch>) =>
    void navigate({
      to: '/services',
      search: (current: Partial<ServiceSearch>) => ({ ...current, ...next, page: 1 }),
      replace: true,
    });

  useEffect(() => {
    if (text === (search.search ?? '')) return;
    const timer = setTimeout(() => {
      typed.current = text;
      change({ search: text || undefined });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);

  // The filter was cleared, or another address opened.
  useEffect(() => {
    if ((search.search ?? '') !== typed.current) setText(search.search ?? '');
  }, [search.search]);

  return (
    <form role="search" className="mb-4 grid gap-3 sm:grid-cols-[2fr_1fr]" onSubmit={(event) => event.preventDefault()}>
      <TextField label="Search by name" type="search" value={text} onChange={setText} />
      <SelectField
        label="Status"
        value={search.status ?? ''}
        onChange={(status) => change({ status: status || undefined })}
      >
        <option value="">All</option>
        {STATUSES.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </SelectField>
    </form>
  );
}
