import { isThorough } from '../../tools/lib/tests/thorough.mjs';

if (!isThorough()) process.stderr.write('skipped: rare cases, which take long; TEST_THOROUGH=1 runs them\n');

/** Like `it`, for a case that guards against something rare and takes long. A whole run leaves it out. */
export const itRarely: jest.It = isThorough() ? it : it.skip;

/** How many random moments a recovery is tested with. */
export const MOMENTS = Number(process.env['PITR_MOMENTS'] ?? (isThorough() ? '6' : '2'));
