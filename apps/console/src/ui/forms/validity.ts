/** What a request may have in a field, by the OpenAPI document. */
export interface FieldLimit {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A number without a fraction. */
  readonly whole?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Control = HTMLInputElement | HTMLTextAreaElement;

const isNumber = ({ minimum, maximum }: FieldLimit): boolean => minimum !== undefined || maximum !== undefined;

/** What is wrong with the number that somebody typed; empty when nothing is. An empty field is another matter. */
export function numberDefect(text: string, limit: FieldLimit): string {
  if (!isNumber(limit) || text.trim() === '') return '';
  const { whole = false, minimum = -Infinity, maximum = Infinity } = limit;
  const value = Number(text);
  const isWrong = !Number.isFinite(value) || (whole && !Number.isInteger(value)) || value < minimum || value > maximum;
  const kind = whole ? 'whole number' : 'number';
  return isWrong ? `Enter a ${kind} from ${minimum.toLocaleString()} to ${maximum.toLocaleString()}.` : '';
}

/** The attributes by which a browser checks texts itself. */
export const textAttributes = (limit: FieldLimit) =>
  isNumber(limit)
    ? {}
    : {
        ...(limit.minLength !== undefined && { minLength: limit.minLength }),
        ...(limit.maxLength !== undefined && { maxLength: limit.maxLength }),
      };

/** What the browser finds wrong with a field, in words of our own: its own bubble is in the language of the browser. */
export function defectInWords(control: Control): string {
  const { validity, validationMessage } = control;
  if (validity.valueMissing) return 'Fill this in.';
  if (validity.typeMismatch && control.type === 'email') return 'Enter an e-mail address.';
  if (validity.tooShort) return `Enter at least ${control.minLength} characters.`;
  if (validity.tooLong) return `Enter at most ${control.maxLength} characters.`;
  if (validity.patternMismatch) return 'This does not have the form that is described here.';
  return validationMessage;
}
