import { useState } from 'react';
import { answer, api } from '../../api/client';
import type { Service } from '../../api/types';
import { Button } from '../../ui/button';
import { Form } from '../../ui/forms/form';
import { momentInUtc, momentInWords, MomentField } from '../../ui/forms/moment-field';
import { NewCopy } from './new-copy';

interface Props {
  readonly service: Service;
  readonly from: number;
  readonly to: number;
  readonly onAccepted: () => void;
}

const HOUR_MS = 3_600_000;
const AGO = [
  ['An hour ago', HOUR_MS],
  ['Yesterday at this time', 24 * HOUR_MS],
] as const;

/** Fields know whole seconds: the one in which the window begins counts. */
const wholeSecond = (at: number): number => Math.floor(at / 1000) * 1000;

/** Picks a moment of the recovery window, and brings it back into a new service. */
export function MomentRestore({ service, from, to, onAccepted }: Props) {
  const [picked, setPicked] = useState<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const at = picked ?? to;
  const isInside = at >= wholeSecond(from) && at <= to;
  return (
    <>
      <Form onSubmit={() => setAsked(Math.max(at, from))}>
        <p className="text-quiet">
          Choose the last moment when the data were right. They are brought back into a new database beside this one;
          this one is not changed.
        </p>
        <MomentField
          label="Moment to bring back"
          from={from}
          to={to}
          value={at}
          onChange={setPicked}
          error={isInside ? undefined : `Choose a time from ${momentInWords(from)} to ${momentInWords(to)}.`}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" disabled={!isInside}>
            Bring this moment back
          </Button>
          {AGO.filter(([, ms]) => to - ms >= from).map(([title, ms]) => (
            <Button key={title} onClick={() => setPicked(Date.now() - ms)}>
              {title}
            </Button>
          ))}
        </div>
      </Form>
      {asked === null ? null : (
        <NewCopy
          title={`Bring ${momentInWords(asked)} back`}
          holds={`Everything that was saved until then (${momentInUtc(asked)}), and nothing later.`}
          suggestion={`${service.name}, restored`}
          action="Restore"
          make={(name) => {
            const body = { at: new Date(asked).toISOString(), into: 'new' as const, name };
            return answer(api.POST('/api/v1/services/{id}/restore', { params: { path: { id: service.id } }, body }));
          }}
          onClose={() => setAsked(null)}
          onAccepted={() => {
            setAsked(null);
            onAccepted();
          }}
        />
      )}
    </>
  );
}
