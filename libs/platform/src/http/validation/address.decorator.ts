import { buildMessage, isEmail, isISO31661Alpha2, isURL, ValidateBy } from 'class-validator';

const WEBSITE_FORM = { protocols: ['http', 'https'], require_protocol: true, disallow_auth: true };

const orEmpty = ({ name, valid, problem }: AddressRule) =>
  ValidateBy({
    name,
    validator: {
      validate: (value) => typeof value === 'string' && (value === '' || valid(value)),
      defaultMessage: buildMessage((each) => `${each}$property ${problem}`),
    },
  });

/** A rule on an optional text, and the message if the text breaks it. */
export interface AddressRule {
  readonly name: string;
  readonly valid: (text: string) => boolean;
  readonly problem: string;
}

/** An assigned ISO 3166-1 alpha-2 code in upper case, or empty. */
export const COUNTRY_RULE: AddressRule = {
  name: 'isCountry',
  valid: (text) => /^[A-Z]{2}$/.test(text) && isISO31661Alpha2(text),
  problem: 'must be an assigned ISO 3166-1 alpha-2 code in upper case, or empty',
};

export const EMAIL_RULE: AddressRule = {
  name: 'isEmail',
  valid: (text) => isEmail(text),
  problem: 'must be an e-mail address, or empty',
};

/** An http or https address, with optional scheme; no other scheme, and no user name. */
export const WEBSITE_RULE: AddressRule = {
  name: 'isWebsite',
  valid: (text) => isURL(/^https?:\/\//i.test(text) ? text : `https://${text}`, WEBSITE_FORM),
  problem: 'must be an http or https address, or empty',
};

export const IsCountryOrEmpty = (): PropertyDecorator => orEmpty(COUNTRY_RULE);
export const IsEmailOrEmpty = (): PropertyDecorator => orEmpty(EMAIL_RULE);
export const IsWebsiteOrEmpty = (): PropertyDecorator => orEmpty(WEBSITE_RULE);
