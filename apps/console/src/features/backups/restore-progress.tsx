import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Restore } from '../../api/types';
import { Notice } from '../../ui/notice';
import { Time } from '../../ui/figures/time';
import { restoresQuery } from './queries';

/** How long the end of a restore is told at the top of the page. */
const TOLD_MS = 3_600_000;

const isOver = ({ finishedAt }: Restore): boolean => finishedAt !== null;
const isOfNow = ({ finishedAt }: Restore): boolean =>
  finishedAt === null || Date.now() - Date.parse(finishedAt) < TOLD_MS;

/** What becomes of the restores of a service: all that run, and how the newest one ended. */
export function RestoreProgress({ id }: { id: string }) {
  const { data } = useQuery(restoresQuery(id));
  const shown = (data?.data ?? []).filter((restore, index) => !isOver(restore) || (index === 0 && isOfNow(restore)));
  return shown.map((restore) => <Progress key={restore.restoreId} restore={restore} seenFrom={id} />);
}

function Progress({ restore, seenFrom }: { restore: Restore; seenFrom: string }) {
  const { status, serviceId, into, errorMessage, finishedAt } = restore;
  const isHere = serviceId === seenFrom;
  const target = isHere ? (
    'this service'
  ) : (
    <Link to="/services/$id" params={{ id: serviceId }} className="underline">
      the new service
    </Link>
  );
  if (status === 'succeeded')
    return (
      <Notice tone="good">
        <p>
          The data are back, in {target} (<Time at={finishedAt} />
          ).
        </p>
        {into === 'new' ? (
          <p className="mt-1">
            To use them, give your application the host and password under Credentials {isHere ? 'here' : 'there'}.
          </p>
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
