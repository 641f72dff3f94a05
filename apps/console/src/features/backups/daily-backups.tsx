import type { BackupPolicyState } from '../../api/types';
import { Button } from '../../ui/button';
import { Notice, ProblemNotice } from '../../ui/notice';
import { useToast } from '../../ui/toasts';
import { useSavePolicy } from './queries';
import { DAILY } from './schedule-words';

/** For a database that nobody backs up by a schedule: whoever needs the data of yesterday would have none. */
export function DailyBackups({ id, policy: { nextRunAt: _, ...policy } }: { id: string; policy: BackupPolicyState }) {
  const toast = useToast();
  const save = useSavePolicy(id);
  const start = () =>
    save.mutate(
      { ...policy, schedule: DAILY },
      { onSuccess: () => toast('A backup is made every day from now on, and is restored once as a test.') },
    );
  return (
    <div className="mb-4 grid gap-3">
      <Notice tone="warn">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>No backup is made by itself yet. What is deleted can only be brought back from a backup.</p>
          <Button busy={save.isPending} onClick={start}>
            Back up every day
          </Button>
        </div>
      </Notice>
      <ProblemNotice error={save.error} />
    </div>
  );
}
