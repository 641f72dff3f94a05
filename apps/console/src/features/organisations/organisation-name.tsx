/** The organisation that a service belongs to, by the short end of its id: names are not part of the API yet. */
export function OrganisationName({ id }: { id: string | null }) {
  if (!id) return <span className="text-quiet">none</span>;
  return (
    <code className="font-mono text-xs" title={id}>
      …{id.slice(-8)}
    </code>
  );
}
