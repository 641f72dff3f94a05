import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** A TCP port; 0 lets the system choose a free one. */
export const port = (fallback: number) =>
  z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0, 'must be 0 to 65535')
    .max(65_535, 'must be 0 to 65535')
    .default(fallback);

/** A rate or an amount greater than 0; fractions are allowed. */
export const positiveNumber = (fallback: number) =>
  z.coerce
    .number('must be a number greater than 0')
    .positive('must be greater than 0')
    .finite('must be finite')
    .default(fallback);

export const positiveInteger = (fallback: number) =>
  z.coerce
    .number('must be a whole number greater than 0')
    .int('must be a whole number')
    .positive('must be greater than 0')
    .default(fallback);

/** An http or https address. */
export const httpUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), 'must be an http(s) URL');

/** An http or https origin with an optional path, stored without a trailing slash. */
export const baseUrl = (fallback: string) =>
  httpUrl
    .refine((text) => !URL.canParse(text) || isBare(new URL(text)), 'must have no user name, query or fragment')
    .transform((text) => text.replace(/\/+$/, ''))
    .default(fallback);

export const postgresUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), 'must be a postgres:// URL');

export const redisUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol), 'must be a redis:// URL');

export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], 'must be true or false')
    .transform((text) => text === 'true' || text === '1')
    .default(fallback);

/** Comma-separated addresses and CIDR ranges whose `X-Forwarded-For` is trusted; none by default. */
export const trustedProxies = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(
    (ranges) => ranges.every((range) => (range.includes('/') ? ipaddr.isValidCIDR(range) : ipaddr.isValid(range))),
    'must be a comma-separated list of IP addresses and CIDR ranges',
  )
  .default([]);

/** Comma-separated origins, as browsers send them: `https://panel.example.com`; none by default. */
export const origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine(
    (list) => list.every((text) => URL.canParse(text) && new URL(text).origin === text),
    'must be a comma-separated list of origins such as https://panel.example.com',
  )
  .default([]);

function isBare({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === '');
}
