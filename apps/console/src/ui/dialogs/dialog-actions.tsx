import { Button } from '../button';

interface Props {
  readonly action: string;
  readonly onCancel: () => void;
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

/** The end of a form in a dialog: the way out, and the action. */
export function DialogActions({ action, onCancel, busy, disabled = false, danger = false }: Props) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" look={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
        {action}
      </Button>
    </div>
  );
}
