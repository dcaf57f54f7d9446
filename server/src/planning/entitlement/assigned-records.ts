/**
 * SQL fragments: the records assigned to the `membership` that the query has joined, by name, without archived ones.
 */
import { type RawBuilder, sql } from 'kysely'
import { companyNames } from '../../connections/oauth/connector-companies.ts'

interface AssignedRecord {
  readonly id: string
  readonly name: string
}

export const assignedGroups = selectAssigned(
  sql`FROM permissionGroup AS record JOIN groupUser AS link ON link.groupId = record.id AND link.userId = membership.userId`,
)

export const assignedHelperTables = selectAssigned(
  sql`FROM helperTable AS record LEFT JOIN helperTableUser AS link ON link.helperTableId = record.id AND link.userId = membership.userId`,
  sql`AND (membership.allHelperTables OR record.allUsers OR link.userId IS NOT NULL)`,
)

export const assignedEntities = selectAssigned(
  sql`FROM entity AS record LEFT JOIN entityUser AS link ON link.entityId = record.id AND link.userId = membership.userId`,
  sql`AND (membership.allEntities OR record.allUsers OR link.userId IS NOT NULL)`,
)

/** Accounting products, with the companies that each moves. */
export const assignedProducts = sql<readonly { readonly id: string; readonly companyName: string }[]>`(
  SELECT coalesce(json_agg(json_build_object('id', connector.id, 'companyName', companies.names) ORDER BY companies.names COLLATE naturalOrder, connector.id), '[]')
  FROM connectorUser AS link
  JOIN connector ON connector.id = link.connectorId AND connector.status <> 'DELETED'
  CROSS JOIN LATERAL (SELECT ${companyNames} AS names) AS companies
  WHERE link.organisationId = membership.organisationId AND link.userId = membership.userId AND companies.names IS NOT NULL)`

function selectAssigned(
  from: RawBuilder<unknown>,
  condition: RawBuilder<unknown> = sql``,
): RawBuilder<readonly AssignedRecord[]> {
  return sql<readonly AssignedRecord[]>`(
    SELECT coalesce(json_agg(json_build_object('id', record.id, 'name', record.name) ORDER BY record.name COLLATE naturalOrder, record.id), '[]')
    ${from}
    WHERE record.organisationId = membership.organisationId ${condition}
      AND record.statusId <> (SELECT id FROM status WHERE name = 'archived'))`
}
