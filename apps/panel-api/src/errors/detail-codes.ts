/** Every `code` of an entry of `details` that is about a field of the request. */
export const DETAIL_CODES = {
  required: 'The field is missing.',
  invalid_type: 'The value has the wrong type.',
  too_long: 'The value has too many characters or entries.',
  too_short: 'The value has too few characters or entries.',
  out_of_range: 'The number is too small or too large, or a quota is exceeded.',
  invalid_format: 'The value has the wrong format.',
  unknown_value: 'The value is not one of the allowed values.',
  unknown_field: 'The field is unknown.',
  duplicate: 'The value is given twice.',
  not_allowed: 'The value is not allowed here.',
} as const;

export type DetailCode = keyof typeof DETAIL_CODES;

/** Our public codes, with the names that validators and libraries use for the same checks. */
const NAMES: Readonly<Record<DetailCode, readonly string[]>> = {
  required: ['required', 'isDefined', 'isNotEmpty', 'variable_missing', 'secret_missing'],
  invalid_type: ['isString', 'isInt', 'isNumber', 'isBoolean', 'isObject', 'isArray', 'nestedValidation'],
  too_long: ['maxLength', 'arrayMaxSize'],
  too_short: ['minLength', 'arrayMinSize', 'isNotBlank'],
  out_of_range: ['min', 'max', 'isPositive', 'resources_exceeded', 'resource_below_minimum', 'quota_exceeded'],
  invalid_format: ['yaml_unreadable', 'interpolation_invalid'],
  unknown_value: ['isIn', 'isEnum', 'unknown_permission'],
  unknown_field: ['whitelistValidation', 'unknown_key'],
  duplicate: ['arrayUnique', 'port_conflict'],
  not_allowed: ['isBound', 'compose_forbidden', 'unsupported_key', 'insufficient_role'],
};

const CODE_OF = new Map<string, DetailCode>(
  Object.entries(NAMES).flatMap(([code, names]) => names.map((name) => [name, code as DetailCode] as const)),
);

/**
 * The public code of a violation. Compose files have further codes (docs/compose.md). A check without a code of its own
 * becomes `invalid_format`.
 */
export function detailCode(name: string): string {
  return CODE_OF.get(name) ?? (name in DETAIL_CODES ? name : 'invalid_format');
}
