import type { ErrorEntry } from '#platform/openapi/error-catalog';

const reason = <Slug extends string>(status: number, code: Slug, message: string, cause: string, cure: string) => ({
  status,
  code,
  message,
  cause,
  cure,
});

/** Every slug of `X-Error-Reason`. */
export const PARTNER_ERROR_REASONS = [
  reason(
    409,
    'license-not-active',
    'The license is not active.',
    'Only an active license can change its edition.',
    'Resume the license first, or issue a new one.',
  ),
  reason(409, 'license-terminated', 'The license is terminated.', 'Termination is final.', 'Issue a new license.'),
  reason(
    409,
    'license-expired',
    'The license has expired.',
    'The trial has ended.',
    'Transfer it to a paid contract, or issue a new license.',
  ),
  reason(
    409,
    'license-not-suspended',
    'The license is not suspended.',
    'Only a suspended license can be resumed.',
    'Nothing to do: the license is not suspended.',
  ),
  reason(
    409,
    'customer-has-live-licenses',
    'The customer has licenses that are not terminated or expired.',
    'A customer with live licenses cannot be deleted.',
    'Terminate or transfer its licenses first.',
  ),
  reason(
    409,
    'contract-not-valid',
    'The contract is not valid today.',
    'The contract is not valid today.',
    'Choose another contract, or ask for a new one.',
  ),
  reason(
    409,
    'contract-cap-reached',
    'The contract has reached its license limit.',
    'The contract has reached its cap.',
    'Terminate a license, or choose another contract.',
  ),
  reason(
    409,
    'pack-exhausted',
    'The pack has no license left.',
    'All licenses of the prepaid pack have been drawn.',
    'Ask for a new pack. A drawn license is never given back.',
  ),
  reason(
    409,
    'transfer-same-owner',
    'The license belongs to this partner, customer and contract already.',
    'The transfer would change nothing.',
    'Name another partner, customer or contract.',
  ),
  reason(
    409,
    'idempotency-key-in-progress',
    'The first request with this Idempotency-Key is still running.',
    'The same request was sent twice at the same time.',
    'Wait a moment and repeat the request.',
  ),
  reason(
    422,
    'validation',
    'name must not be empty',
    'A field is missing or invalid.',
    'The message names every invalid field.',
  ),
  reason(
    422,
    'contract-partner-mismatch',
    'contractId belongs to another partner than customerId',
    'Customer and contract must belong to the same partner.',
    'Choose a customer and a contract of the same partner.',
  ),
  reason(
    422,
    'edition-not-in-contract',
    'edition web-pro is not covered by the contract',
    'The contract does not allow this edition.',
    'Use one of the `editions` of the contract.',
  ),
  reason(
    422,
    'edition-unknown',
    'edition must be one of power-user, web-host, web-pro, web-admin',
    'There is no such edition.',
    'The message lists the editions.',
  ),
  reason(
    422,
    'effective-date-in-future',
    'effectiveDate must not be in the future',
    'A transfer cannot be scheduled in advance.',
    'Send the request on that day, or use today (UTC).',
  ),
  reason(
    422,
    'effective-date-before-issue',
    'effectiveDate must not be before the day of issue',
    'Nobody owned the license on that day.',
    'Use the day of `issuedAt` or a later one.',
  ),
  reason(
    422,
    'effective-date-before-last-transfer',
    'effectiveDate must not be before the last transfer',
    'The license was transferred after that day.',
    'Use the day of its last transfer or a later one.',
  ),
  reason(
    422,
    'effective-date-in-past',
    'effectiveDate must not be in the past for this transfer',
    'Only a transfer to another partner, on a contract that bills, may take effect before today.',
    'Leave `effectiveDate` out, or use today (UTC).',
  ),
  reason(
    422,
    'idempotency-key-reused',
    'This Idempotency-Key was used for another request.',
    'The same key was used with another path or body.',
    'Use a new key for every new request.',
  ),
] as const satisfies readonly ErrorEntry[];

export type PartnerErrorReason = (typeof PARTNER_ERROR_REASONS)[number]['code'];
