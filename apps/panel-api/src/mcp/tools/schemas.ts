import { z } from 'zod';
import { SERVICE_STATUSES } from '#libs/services';

export const serviceId = z.uuid().describe('Id of the service.');
export const confirm = z.boolean().optional().describe('True once the user has agreed. Nothing happens without it.');
export const page = {
  page: z.number().int().min(1).optional().describe('From 1, which is the default.'),
  pageSize: z.number().int().min(1).max(50).optional().describe('At most 50; 20 by default.'),
};
export const time = z.string().describe('RFC 3339, in UTC.');
export const status = z.enum(SERVICE_STATUSES);

export const pagination = z.looseObject({
  page: z.number(),
  pageSize: z.number(),
  total: z.number(),
  totalPages: z.number(),
});

/** A service in a list, with enough fields to choose one. */
export const serviceRow = z.object({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  deploymentType: z.string(),
  templateName: z.string().nullable(),
  customerId: z.string().nullable(),
  url: z.string().nullable(),
  createdAt: time,
});

export const accepted = z.looseObject({
  serviceId: z.string(),
  deploymentId: z.string().nullable().describe('Follow it with get_deployment. Null if there was nothing to do.'),
  status: z.string(),
});

/** The page in the form that the REST routes accept. */
export function pageQuery({ page = 1, pageSize = 20 }: { page?: number; pageSize?: number }): Record<string, string> {
  return { page: String(page), pageSize: String(pageSize) };
}
