import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice, ProblemNotice } from '../../ui/notice';
import { restoreQuery } from './queries';

/** What becomes of a restore, until it is over. */
export function RestoreProgress({ id }: { id: string }) {
  const { data: restore, error } = useQuery(restoreQuery(id));
  if (error) return <ProblemNotice error={error} />;
  if (!restore) return null;
  const { status, serviceId, into, errorMessage } = restore;
  const target = (
    <Link to="/services/$id" params={{ id: serviceId }} className="underline">
      {into === 'new' ? 'the new service' : 'this service'}
    </Link>
  );
  if (status === 'succeeded')
    return (
      <Notice tone="good">
        <p>The data are back, in {target}.</p>
        {into === 'new' ? (
          <p className="mt-1">To use them, give your application the host and password under Credentials there.</p>
        ) : null}
      </Notice>
    );
  if (status === 'failed')
    return (
      <Notice tone="bad">
        <p>The restore failed: {errorMessage}</p>
        <p>{into === 'new' ? 'Nothing was left behind.' : 'The data are as they were.'}</p>
      </Notice>
    );
  return (
    <Notice tone="busy">
      The restore into {target} is {status === 'queued' ? 'waiting for its turn' : 'running'} …
    </Notice>
  );
}
