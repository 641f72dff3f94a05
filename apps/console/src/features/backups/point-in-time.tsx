import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCan } from '../../api/session';
import type { BackupPolicyState, Service } from '../../api/types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Confirm } from '../../ui/dialogs/confirm';
import { Loading } from '../../ui/empty-state';
import { momentInWords } from '../../ui/forms/moment-field';
import { Notice, ProblemNotice } from '../../ui/notice';
import { MomentRestore } from './moment-restore';
import { policyQuery, recoveryWindowQuery, useSavePolicy } from './queries';

interface Props {
  readonly service: Service;
  /** The name of the kind of database. */
  readonly database: string;
  readonly onAccepted: () => void;
}

/** Any moment of the last days, where every change of the database is recorded. */
export function PointInTime({ service, database, onAccepted }: Props) {
  const { data: policy, error } = useQuery(policyQuery(service.id));
  const canWrite = useCan('backups:create');
  const save = useSavePolicy(service.id);
  const [stopping, setStopping] = useState(false);
  const record = (pitr: boolean, { nextRunAt: _, ...rest }: BackupPolicyState) => save.mutateAsync({ ...rest, pitr });
  return (
    <Card
      title="Go back to a moment"
      actions={policy?.pitr && canWrite ? <Button onClick={() => setStopping(true)}>Stop recording</Button> : null}
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        <ProblemNotice error={error ?? (stopping ? null : save.error)} />
        {!policy && !error ? <Loading what="what is recorded" /> : null}
        {policy && !policy.pitr ? (
          <>
            <p>
              A backup brings back the moment when it was made. {database} can do more: when every change is recorded,
              you can bring back any moment of the last seven days.
            </p>
            {canWrite ? (
              <div>
                <Button busy={save.isPending} onClick={() => void record(true, policy).catch(() => undefined)}>
                  Record every change
                </Button>
              </div>
            ) : null}
          </>
        ) : null}
        {policy?.pitr ? <Recorded service={service} onAccepted={onAccepted} /> : null}
      </div>
      <Confirm
        open={stopping}
        onClose={() => setStopping(false)}
        title="Stop recording changes?"
        effect="You can no longer go back to moments after now. Backups are still made as planned."
        action="Stop recording"
        run={() => record(false, policy!)}
      />
    </Card>
  );
}

function Recorded({ service, onAccepted }: Omit<Props, 'database'>) {
  const { data: window, error, dataUpdatedAt } = useQuery(recoveryWindowQuery(service.id));
  const canRestore = useCan('backups:restore');
  if (error) return <ProblemNotice error={error} />;
  if (!window) return <Loading what="what is recorded" />;
  const { from, to, problem } = window;
  const isWhole = problem === null;
  const isStopped = service.status === 'stopped' || service.status === 'suspended';
  return (
    <>
      {isStopped ? (
        <Notice tone="busy">This database does not run. What it recorded before can still be brought back.</Notice>
      ) : null}
      {isWhole || isStopped ? null : (
        <Notice tone="warn">
          <p>Changes are not being recorded at the moment: {problem}</p>
          <p className="mt-1">
            {from && to
              ? `Moments until ${momentInWords(Date.parse(to))} can still be brought back.`
              : 'Until this is solved, use the backups below.'}
          </p>
        </Notice>
      )}
      {isWhole && !from ? (
        <Notice tone="busy">
          The first copy of the database is being made. Moments after it can be brought back; this usually takes less
          than a minute.
        </Notice>
      ) : null}
      {from && to && canRestore ? (
        <MomentRestore
          service={service}
          from={Date.parse(from)}
          // While the database runs, the newest changes are fetched before a restore.
          to={isWhole && service.status === 'running' ? Math.max(Date.parse(to), dataUpdatedAt) : Date.parse(to)}
          onAccepted={onAccepted}
        />
      ) : null}
    </>
  );
}
