import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { numberIn } from '../../api/number-in';
import { setBackupPolicy } from '../../api/limits';
import { Problem } from '../../api/problem';
import { useCan } from '../../api/session';
import type { BackupPolicyState } from '../../api/types';
import { Button } from '../../ui/button';
import { Card, Facts } from '../../ui/card';
import { Loading } from '../../ui/empty-state';
import { DailyBackups } from './daily-backups';
import { SelectField, TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { ProblemNotice } from '../../ui/notice';
import { Time } from '../../ui/figures/time';
import { useToast } from '../../ui/toasts';
import { policyQuery, useSavePolicy } from './queries';
import { scheduleInWords, SCHEDULES } from './schedule-words';

const VERIFY = { always: 'every backup', weekly: 'one a week', never: 'none' } as const;
const KEPT = [
  ['keepDaily', 'Days kept'],
  ['keepWeekly', 'Weeks kept'],
  ['keepMonthly', 'Months kept'],
] as const;
const OTHER = 'other';

/** When backups are made by themselves, and how long they are kept. */
export function BackupPolicy({ id }: { id: string }) {
  const canWrite = useCan('backups:create');
  const { data: policy, error } = useQuery(policyQuery(id));
  const [editing, setEditing] = useState(false);
  return (
    <Card
      title="Schedule"
      actions={canWrite && policy && !editing ? <Button onClick={() => setEditing(true)}>Change</Button> : null}
    >
      <ProblemNotice error={error} />
      {!policy && !error ? <Loading what="the schedule" /> : null}
      {policy && editing ? <PolicyForm id={id} policy={policy} onDone={() => setEditing(false)} /> : null}
      {policy?.schedule === null && canWrite && !editing ? <DailyBackups id={id} policy={policy} /> : null}
      {policy && !editing ? (
        <Facts
          facts={[
            [
              'How often',
              scheduleInWords(policy.schedule) ?? <code className="font-mono text-xs">{policy.schedule} (UTC)</code>,
            ],
            ['Next one', policy.nextRunAt ? <Time at={policy.nextRunAt} exact /> : null],
            ['Kept', `${policy.keepDaily} days, ${policy.keepWeekly} weeks, ${policy.keepMonthly} months`],
            ['Tested', VERIFY[policy.verify]],
          ]}
        />
      ) : null}
    </Card>
  );
}

function PolicyForm({ id, policy, onDone }: { id: string; policy: BackupPolicyState; onDone: () => void }) {
  const toast = useToast();
  const known = SCHEDULES.some(([cron]) => cron === (policy.schedule ?? ''));
  const [choice, setChoice] = useState<string>(known ? (policy.schedule ?? '') : OTHER);
  const [cron, setCron] = useState(policy.schedule ?? '');
  const [verify, setVerify] = useState(policy.verify);
  const [kept, setKept] = useState({
    keepDaily: String(policy.keepDaily),
    keepWeekly: String(policy.keepWeekly),
    keepMonthly: String(policy.keepMonthly),
  });
  const save = useSavePolicy(id);
  const submit = () =>
    save.mutate(
      {
        schedule: (choice === OTHER ? cron : choice) || null,
        verify,
        keepDaily: numberIn(kept.keepDaily),
        keepWeekly: numberIn(kept.keepWeekly),
        keepMonthly: numberIn(kept.keepMonthly),
        pitr: policy.pitr,
      },
      {
        onSuccess: () => {
          toast('The schedule is saved.');
          onDone();
        },
      },
    );
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <Form onSubmit={() => submit()}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <SelectField
          label="How often"
          value={choice}
          onChange={setChoice}
          error={choice === OTHER ? undefined : problem?.at('/schedule')}
        >
          {SCHEDULES.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
          <option value={OTHER}>by a cron schedule</option>
        </SelectField>
        {choice === OTHER ? (
          <TextField
            label="Cron schedule in UTC"
            limit={setBackupPolicy.schedule}
            placeholder="30 2 * * *"
            hint={scheduleInWords(cron) ?? 'Minute, hour, day, month, day of the week.'}
            value={cron}
            onChange={setCron}
            error={problem?.at('/schedule')}
          />
        ) : null}
        <SelectField
          label="Test by restoring"
          value={verify}
          onChange={(value) => setVerify(value as typeof verify)}
          hint="A test restores the backup into a temporary database. Only then is it known to be good."
        >
          {Object.entries(VERIFY).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {KEPT.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            limit={setBackupPolicy[name]}
            inputMode="numeric"
            value={kept[name]}
            onChange={(value) => setKept({ ...kept, [name]: value })}
            error={problem?.at(`/${name}`)}
          />
        ))}
      </div>
      <ProblemNotice error={save.error} />
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={save.isPending}>
          Save
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </Form>
  );
}
