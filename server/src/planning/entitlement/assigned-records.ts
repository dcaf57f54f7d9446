/** What is assigned to the `membership` that a list has joined, by name and without what is archived. */
import { type RawBuilder, sql } from 'kysely'

interface Named {
  readonly id: string
  readonly name: string
}

export const assignedGroups = assigned(
  sql`FROM permission_group AS record JOIN group_user AS link ON link.group_id = record.id AND link.user_id = membership.user_id`,
)

export const assignedHelperTables = assigned(
  sql`FROM helper_table AS record LEFT JOIN helper_table_user AS link ON link.helper_table_id = record.id AND link.user_id = membership.user_id`,
  sql`AND (membership.all_helper_tables OR record.all_users OR link.user_id IS NOT NULL)`,
)

export const assignedEntities = assigned(
  sql`FROM entity AS record LEFT JOIN entity_user AS link ON link.entity_id = record.id AND link.user_id = membership.user_id`,
  sql`AND (membership.all_entities OR record.all_users OR link.user_id IS NOT NULL)`,
)

/** Accounting products, by the company that each moves. */
export const assignedProducts = sql<readonly { readonly id: string; readonly companyName: string }[]>`(
  SELECT coalesce(json_agg(json_build_object('id', connector.id, 'companyName', tenant.name) ORDER BY tenant.name COLLATE natural_order, connector.id), '[]')
  FROM connector_user AS link
  JOIN connector ON connector.id = link.connector_id AND connector.status <> 'DELETED'
  JOIN connector_tenant AS tenant ON tenant.connector_id = connector.id
  WHERE link.organisation_id = membership.organisation_id AND link.user_id = membership.user_id)`

function assigned(from: RawBuilder<unknown>, which: RawBuilder<unknown> = sql``): RawBuilder<readonly Named[]> {
  return sql<readonly Named[]>`(
    SELECT coalesce(json_agg(json_build_object('id', record.id, 'name', record.name) ORDER BY record.name COLLATE natural_order, record.id), '[]')
    ${from}
    WHERE record.organisation_id = membership.organisation_id ${which}
      AND record.status_id <> (SELECT id FROM status WHERE name = 'archived'))`
}
