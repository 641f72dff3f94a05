import { Link } from '@tanstack/react-router';
import { useCan } from '../../api/session';

/** The organisation that a service belongs to; by the short end of its id for whoever may not know its name. */
export function OrganisationName({ id, name }: { id: string | null; name: string | undefined }) {
  const canRead = useCan('usage:read');
  if (!id) return <span className="text-quiet">none</span>;
  const text = name ?? `…${id.slice(-8)}`;
  if (!name || !canRead)
    return (
      <code className="font-mono text-xs" title={id}>
        {text}
      </code>
    );
  return (
    <Link to="/organisations/$id" params={{ id }} className="underline-offset-2 hover:underline">
      {text}
    </Link>
  );
}
