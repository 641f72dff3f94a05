import { MONTH } from './billing-world.js';

const WINDOW = `daterange('${MONTH}-01', '${MONTH}-31', '[]')`;
const DAYS = `upper(s.days * ${WINDOW}) - lower(s.days * ${WINDOW})`;

/** The totals of every contract for a month of 31 days. Each license is rounded separately. */
export const TOTALS = `
  select g.contract_id, sum((2 * c.unit_price_cents * g.days + 31) / 62) as cents
    from (select s.contract_id, s.license_id, sum(${DAYS})::bigint as days
            from licensing.ownership_spans s where s.days && ${WINDOW} group by s.contract_id, s.license_id) g
    join billing.contracts c on c.id = g.contract_id
   group by g.contract_id`;

/**
 * The parts of partner 1 with their events and its line, as the product stores them. The events of the few licenses
 * with more than one span are collected in the order of the spans.
 */
export const COMPUTE_AND_STORE = `
  with spans as (
    select s.license_id, lower(s.days) as first, ${DAYS} as days,
           case when upper(s.days) <= '${MONTH}-31' then array[s.opened_by, s.closed_by]
                else array[s.opened_by] end as events
      from licensing.ownership_spans s
     where s.contract_id = md5('contract1')::uuid and s.days && ${WINDOW}
  ), parts as (
    select license_id, sum(days)::int as days,
           case when count(*) = 1 then min(events)
                else string_to_array(string_agg(array_to_string(events, ','), ',' order by first), ',')::bigint[]
            end as events
      from spans group by license_id
  ), stored as (
    insert into billing.statement_parts (figures, position, license_id, days, amount_cents, event_ids, key_masked)
    select -1, 0, p.license_id, p.days, (2 * 1099 * p.days + 31) / 62, p.events, l.key_masked
      from parts p join licensing.licenses l on l.id = p.license_id
    returning days, amount_cents
  )
  insert into billing.statement_lines
    (figures, position, contract_id, model, currency, quantity, unit_price_cents, amount_cents, billed_days, valid_from)
  select -1, 0, md5('contract1')::uuid, 'per_instance_metered', 'EUR', count(*), 1099, sum(amount_cents), sum(days),
         '2025-01-01'
    from stored`;
