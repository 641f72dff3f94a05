import type { Backup } from '../../api/types';
import { Badge, type Tone } from '../../ui/badge';
import { Time } from '../../ui/figures/time';

type Words = readonly [tone: Tone, text: string];

/**
 * Only a backup that was restored as a test is green. One that was merely written may be worth nothing, and looks like
 * it.
 */
function wordsOf({ status, verification }: Backup): Words {
  if (status === 'queued') return ['busy', 'waiting'];
  if (status === 'running') return ['busy', 'being made'];
  if (status === 'failed') return ['bad', 'failed'];
  if (status === 'expired') return ['neutral', 'expired'];
  if (verification?.status === 'verified') return ['good', 'verified'];
  if (verification?.status === 'failed') return ['bad', 'cannot be restored'];
  if (verification?.status === 'pending' || verification?.status === 'running') return ['busy', 'made, being tested'];
  return ['warn', 'made, not tested'];
}

const counted = (count: number | null, thing: string): string =>
  `${(count ?? 0).toLocaleString()} ${thing}${count === 1 ? '' : 's'}`;

export function BackupState({ backup }: { backup: Backup }) {
  const [tone, text] = wordsOf(backup);
  const { verification, errorMessage, notes } = backup;
  const reason = errorMessage ?? verification?.errorMessage;
  return (
    <div className="min-w-0">
      <Badge tone={tone}>{text}</Badge>
      <p className="text-quiet mt-0.5 text-xs break-words">
        {verification?.status === 'verified' ? (
          <>
            restored as a test <Time at={verification.verifiedAt} />: {counted(verification.objects, 'object')},{' '}
            {counted(verification.rows, 'row')}
            {verification.compared === 'counts' && ', only counted'}
            {backup.kind === 'base' && ', with the changes recorded after it'}
          </>
        ) : (
          reason
        )}
      </p>
      {notes.map((note) => (
        <p key={note} className="text-warn mt-0.5 text-xs break-words">
          {note}
        </p>
      ))}
    </div>
  );
}
