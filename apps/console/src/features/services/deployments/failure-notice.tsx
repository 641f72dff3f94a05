import type { Deployment } from '../../../api/types';
import { Notice } from '../../../ui/notice';
import { failureOf } from './failure-words';

/** Why a deployment failed, what is running now, and what helps. */
export function FailureNotice({ message, reverted }: { message: string; reverted: Deployment['reverted'] }) {
  const { code, what, next, detail } = failureOf(message);
  return (
    <Notice tone="bad">
      {what ? <p className="font-semibold">{what}</p> : null}
      <p className="break-words">{detail}</p>
      {reverted ? <p className="mt-1">The previous containers are running again.</p> : null}
      {next ? <p className="mt-1">{next}</p> : null}
      {code ? (
        <p className="mt-2 text-xs">
          Code: <code className="font-mono">{code}</code>
        </p>
      ) : null}
    </Notice>
  );
}
