import { chargingOf, isPricingModel, PRICING_MODELS } from './pricing-model.js';

describe('the pricing models', () => {
  it('are charged by license day, by contract day, or only counted', () => {
    expect(Object.fromEntries(PRICING_MODELS.map((model) => [model, chargingOf(model)]))).toEqual({
      per_instance_metered: 'by-license-day',
      flat_unlimited: 'by-contract-day',
      flat_capped: 'by-contract-day',
      prepaid_pack: 'by-pack',
      trial: 'by-count',
      not_for_resale: 'by-count',
    });
  });

  it('are distinguished from other texts', () => {
    expect(PRICING_MODELS.every(isPricingModel)).toBe(true);
    expect(['metered', '', null, 7, 'toString'].some(isPricingModel)).toBe(false);
  });
});
