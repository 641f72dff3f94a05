import { useState, type ReactNode } from 'react';
import { Dialog } from './dialog';
import { DialogActions } from './dialog-actions';
import { TextField } from '../forms/field';
import { Form } from '../forms/form';
import { ProblemNotice } from '../notice';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What happens next, in one or two sentences. */
  readonly effect: ReactNode;
  readonly action: string;
  /** A name that has to be typed before the action is possible. */
  readonly typed?: string;
  readonly run: () => Promise<unknown>;
}

/** Asks before something that cannot be taken back. It stays open until the action has ended, and shows its error. */
export function Confirm({ open, onClose, title, effect, action, typed, run }: Props) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const close = () => {
    setText('');
    setError(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      close();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onClose={close} title={title} description={effect}>
      <Form onSubmit={() => void confirm()}>
        {typed === undefined ? null : (
          <TextField label={`Type ${typed} to confirm`} value={text} onChange={setText} autoComplete="off" />
        )}
        <ProblemNotice error={error} />
        <DialogActions
          action={action}
          onCancel={close}
          busy={busy}
          disabled={typed !== undefined && text !== typed}
          danger
        />
      </Form>
    </Dialog>
  );
}
