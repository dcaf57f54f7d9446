/** What is assigned to the `membership` that a list has joined, by name and without what is archived. */
import { type RawBuilder, sql } from 'kysely'

interface Named {
  readonly id: string
  readonly name: string
}

export const assignedGroups = assigned(
  sql`FROM permissionGroup AS record JOIN groupUser AS link ON link.groupId = record.id AND link.userId = membership.userId`,
)

export const assignedHelperTables = assigned(
  sql`FROM helperTable AS record LEFT JOIN helperTableUser AS link ON link.helperTableId = record.id AND link.userId = membership.userId`,
  sql`AND (membership.allHelperTables OR record.allUsers OR link.userId IS NOT NULL)`,
)

export const assignedEntities = assigned(
  sql`FROM entity AS record LEFT JOIN entityUser AS link ON link.entityId = record.id AND link.userId = membership.userId`,
  sql`AND (membership.allEntities OR record.allUsers OR link.userId IS NOT NULL)`,
)

/** Accounting products, by the company that each moves. */
export const assignedProducts = sql<readonly { readonly id: string; readonly companyName: string }[]>`(
  SELECT coalesce(json_agg(json_build_object('id', connector.id, 'companyName', tenant.name) ORDER BY tenant.name COLLATE naturalOrder, connector.id), '[]')
  FROM connectorUser AS link
  JOIN connector ON connector.id = link.connectorId AND connector.status <> 'DELETED'
  JOIN connectorTenant AS tenant ON tenant.connectorId = connector.id
  WHERE link.organisationId = membership.organisationId AND link.userId = membership.userId)`

function assigned(from: RawBuilder<unknown>, which: RawBuilder<unknown> = sql``): RawBuilder<readonly Named[]> {
  return sql<readonly Named[]>`(
    SELECT coalesce(json_agg(json_build_object('id', record.id, 'name', record.name) ORDER BY record.name COLLATE naturalOrder, record.id), '[]')
    ${from}
    WHERE record.organisationId = membership.organisationId ${which}
      AND record.statusId <> (SELECT id FROM status WHERE name = 'archived'))`
}
