/** How a contract is priced. Partners see these values. */
export const PRICING_MODELS = [
  'per_instance_metered',
  'flat_unlimited',
  'flat_capped',
  'prepaid_pack',
  'trial',
  'not_for_resale',
] as const;

export type PricingModel = (typeof PRICING_MODELS)[number];

/**
 * What a model's statement line is computed from: the days of each license, the days of the contract, the slots drawn
 * from a pack, or only the number of licenses. The last two cost nothing (billing rule 7).
 */
export type Charging = 'by-license-day' | 'by-contract-day' | 'by-pack' | 'by-count';

const CHARGING: Readonly<Record<PricingModel, Charging>> = {
  per_instance_metered: 'by-license-day',
  flat_unlimited: 'by-contract-day',
  flat_capped: 'by-contract-day',
  prepaid_pack: 'by-pack',
  trial: 'by-count',
  not_for_resale: 'by-count',
};

export function chargingOf(model: PricingModel): Charging {
  return CHARGING[model];
}

export function isPricingModel(text: unknown): text is PricingModel {
  return (PRICING_MODELS as readonly unknown[]).includes(text);
}
