import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react';
import { defectInWords, numberDefect, textAttributes, type FieldLimit } from './validity';

interface OwnDefect<Control> {
  /** What is wrong with the value by the limits of the document, once somebody has tried to send the form. */
  readonly defect: string | undefined;
  readonly attributes: {
    readonly ref: RefObject<Control | null>;
    readonly onInvalid: (event: FormEvent<Control>) => void;
    readonly required?: boolean;
    readonly minLength?: number;
    readonly maxLength?: number;
  };
}

/** Checks a field before the form is sent, and says at the field what is wrong, as is done with what the API says. */
export function useOwnDefect<Control extends HTMLInputElement | HTMLTextAreaElement>(
  value: string,
  limit: FieldLimit,
): OwnDefect<Control> {
  const ref = useRef<Control>(null);
  const [defect, setDefect] = useState<string>();
  useEffect(() => {
    setDefect(undefined);
    ref.current?.setCustomValidity(numberDefect(value, limit));
  }, [value, limit]);
  const onInvalid = (event: FormEvent<Control>) => {
    event.preventDefault();
    const control = event.currentTarget;
    setDefect(defectInWords(control));
    if (control.form?.querySelector(':invalid') === control) control.focus();
  };
  return {
    defect,
    attributes: { ref, onInvalid, ...(limit.required && { required: true }), ...textAttributes(limit) },
  };
}
