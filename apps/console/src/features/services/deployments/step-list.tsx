import type { DeploymentStep } from '../../../api/types';
import { classes } from '../../../ui/classes';
import { Took } from '../../../ui/figures/time';
import { failureOf } from './failure-words';

const MARKS: Readonly<Record<DeploymentStep['status'], readonly [mark: string, colour: string]>> = {
  running: ['●', 'text-busy animate-pulse'],
  succeeded: ['✓', 'text-good'],
  failed: ['✕', 'text-bad'],
};

const STEPS: Readonly<Record<DeploymentStep['name'], string>> = {
  validate: 'Check the settings',
  quota: 'Check the limits',
  clone: 'Fetch the repository',
  build: 'Build the program',
  pull: 'Fetch the images',
  label_check: 'Check the images',
  commit: 'Store the new version',
  create: 'Create the new containers',
  retire: 'Stop the old containers',
  start: 'Start the new containers',
  health_gate: 'Wait until they work',
  route: 'Lead visitors to them',
  finish: 'Clean up',
  revert: 'Undo the change',
  control: 'Change the running containers',
  remove: 'Remove everything',
};

/** The steps of a deployment as they happen, each with what became of it. */
export function StepList({ steps }: { steps: readonly DeploymentStep[] }) {
  if (steps.length === 0) return <p className="text-quiet text-sm">Waiting for its turn.</p>;
  return (
    <ol className="grid gap-1.5 text-sm">
      {steps.map(({ name, status, message, startedAt, finishedAt }, index) => (
        <li key={index} className="grid grid-cols-[1rem_1fr_auto] items-baseline gap-2">
          <span className={classes('font-bold', MARKS[status][1])}>
            <span aria-hidden>{MARKS[status][0]}</span>
            <span className="sr-only">{status}: </span>
          </span>
          <span className={classes('min-w-0 break-words', status === 'failed' && 'text-bad font-medium')}>
            {STEPS[name]}
            {message ? <span className="block text-xs font-normal">{failureOf(message).detail}</span> : null}
          </span>
          <span className="text-quiet text-xs tabular-nums">
            <Took from={startedAt} to={finishedAt} />
          </span>
        </li>
      ))}
    </ol>
  );
}
