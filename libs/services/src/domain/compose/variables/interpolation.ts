import { SecretTemplate, type SecretTemplatePart } from '../../secret-template.js';
import { SecretText } from '#kernel/crypto/secret-text';
import { type ComposeValue, isList, isMapping } from '../compose-document.js';
import type { Place } from '../place.js';
import { scanVariables, type TemplatePiece } from './variable-scanner.js';

type Variables = ReadonlyMap<string, string>;

/**
 * Replaces `$NAME`, `${NAME}` and their forms with defaults by the values from the request. YAML is parsed before, so a
 * value can never become structure. Keys stay as they are. So do extension keys and the texts that become
 * `SecretTemplate`s, which `interpolateTemplate` reads later.
 * @param variables null to copy without replacing
 */
export function interpolate(
  value: ComposeValue,
  variables: Variables | null,
  place: Place,
  path: readonly string[] = [],
): ComposeValue {
  if (variables !== null && typeof value === 'string') return interpolateText(value, variables, place);
  if (isList(value))
    return value.map((item, index) => (isSettled(item) ? item : interpolate(item, variables, place.at(index), path)));
  if (!isMapping(value)) return value;
  const result: Record<string, ComposeValue> = {};
  for (const [key, item] of Object.entries(value)) {
    const below = path.length < TEMPLATE_DEPTH ? [...path, key] : path;
    const kept = below !== path && keepsTemplates(below);
    result[key] = isSettled(item) ? item : interpolate(item, kept ? null : variables, place.at(key), below);
  }
  return result;
}

/** Whether a value has no variables. True for most values, which then need no `Place`. */
function isSettled(value: ComposeValue): boolean {
  return typeof value === 'string' ? !value.includes('$') : typeof value !== 'object';
}

const TEMPLATE_DEPTH = 3;

/** True for environments and inline contents, which become templates, and for extension keys, which nobody reads. */
function keepsTemplates(path: readonly string[]): boolean {
  const [section, , key = ''] = path;
  if (path.length === 1) return section?.startsWith('x-') ?? false;
  if (path.length !== TEMPLATE_DEPTH) return false;
  if (key.startsWith('x-')) return true;
  return section === 'services'
    ? key === 'environment'
    : ['secrets', 'configs'].includes(section ?? '') && key === 'content';
}

function interpolateText(text: string, variables: Variables, place: Place): string {
  const pieces = substitute(text, variables, place);
  if (pieces.some((piece) => 'secret' in piece))
    place.refuse('${secret:…} is understood in environment values and in the content of secrets and configs only.');
  return pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
}

/** Replaces variables in a text that may also refer to secrets of the organisation as `${secret:NAME}`. */
export function interpolateTemplate(text: string, variables: Variables, place: Place): SecretTemplate {
  const parts: SecretTemplatePart[] = substitute(text, variables, place).map((piece) =>
    'text' in piece ? { text: new SecretText(piece.text) } : piece,
  );
  return parts.length === 0 ? SecretTemplate.literal('') : SecretTemplate.of(parts);
}

type Substituted = { readonly text: string } | { readonly secret: string };

function substitute(text: string, variables: Variables, place: Place): Substituted[] {
  if (!text.includes('$')) return text === '' ? [] : [{ text }];
  if (!place.affords(dollars(text), text.length)) return [];
  const pieces = scanVariables(text);
  if (typeof pieces === 'string') {
    place.refuse(pieces, 'interpolation_invalid');
    return [];
  }
  const lacking: Lacking = { unset: new Set(), missing: new Set() };
  const substituted = pieces.flatMap((piece) => evaluate(piece, variables, place, lacking));
  if (lacking.unset.size > 0) place.warnUnset([...lacking.unset]);
  if (lacking.missing.size > 0) place.refuseMissing([...lacking.missing]);
  return substituted;
}

/** Names of the variables of one text that have no value. */
interface Lacking {
  readonly unset: Set<string>;
  /** Required by `:?` or `?`. */
  readonly missing: Set<string>;
}

function dollars(text: string): number {
  let count = 0;
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) count += 1;
  return count;
}

function evaluate(piece: TemplatePiece, variables: Variables, place: Place, lacking: Lacking): Substituted[] {
  if (!('variable' in piece)) return [piece];
  const { variable, operator, operand } = piece;
  const value = variables.get(variable);
  if (value !== undefined && !place.affords(0, value.length)) return [];
  const counts = value !== undefined && (operator === '' || !operator.startsWith(':') || value !== '');
  switch (operator.charAt(operator.length - 1)) {
    case '-':
      return counts ? [{ text: value }] : operand.flatMap((inner) => evaluate(inner, variables, place, lacking));
    case '+':
      return counts ? operand.flatMap((inner) => evaluate(inner, variables, place, lacking)) : [];
    case '?':
      if (!counts) lacking.missing.add(variable);
      return [{ text: value ?? '' }];
    default:
      if (!counts) lacking.unset.add(variable);
      return [{ text: value ?? '' }];
  }
}
