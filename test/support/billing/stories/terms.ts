import type { Terms } from '../hand-calculated.js';

export const LONG_AGO = '2023-01-01';

export const metered = (partner: string, unitPriceCents: number): Terms => {
  return { partner, model: 'per_instance_metered', unitPriceCents };
};

export const flat = (partner: string, unitPriceCents: number, validFrom: string, validTo?: string): Terms => {
  return { partner, model: 'flat_unlimited', unitPriceCents, validFrom, ...(validTo && { validTo }) };
};
