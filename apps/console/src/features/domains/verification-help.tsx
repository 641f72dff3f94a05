import type { Domain } from '../../api/types';
import { CopyText } from '../../ui/copy-text';
import { Notice } from '../../ui/notice';

/** What the owner of a domain has to do before it counts. */
export function VerificationHelp({ domain: { status, verification } }: { domain: Domain }) {
  if (status === 'active') return null;
  return (
    <div className="mt-3 grid gap-3">
      {verification.errorMessage ? <Notice tone="warn">{verification.errorMessage}</Notice> : null}
      {verification.record && verification.value ? (
        <>
          <p className="text-sm">
            To show that the domain is yours, add this TXT record where you manage it. The panel looks for it every
            minute.
          </p>
          <CopyText label="Name of the TXT record" text={verification.record} />
          <CopyText label="Value of the TXT record" text={verification.value} />
        </>
      ) : null}
    </div>
  );
}
