/** Locates the organisation's own tables: in its own database, or in a schema of its database in the warehouse. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { toTargetProperties } from '../../connections/databases/database-credentials.ts'
import type { TargetLocation } from '../../connections/databases/open-target.ts'

const warehouseSchema = 'excel'

/** @param credentials null for the warehouse */
export function locateOrganisationTables(
  organisationId: string,
  credentials: TableSyncCredentials | null,
): TargetLocation {
  return {
    organisationId,
    settings: credentials === null ? {} : toTargetProperties(credentials),
    schema: warehouseSchema,
  }
}
