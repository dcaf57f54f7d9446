/** Locates the organisation's own tables: in its own database, or in a schema of its database in the warehouse. */
import type { TableSyncCredentials } from '@tributary/contract/table-sync'
import { toTargetProperties } from '../../connections/databases/database-credentials.ts'
import type { TargetLocation } from '../../connections/databases/open-target.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import { decryptCredentials } from '../../connections/databases/stored-credentials.ts'

/** The schema of an organisation's warehouse that holds its version and helper tables. */
export const warehouseSchema = 'excel'

/** @param credentials null for the warehouse */
export function locateOrganisationTables(
  organisationId: string,
  credentials: TableSyncCredentials | null | undefined,
): TargetLocation {
  return {
    organisationId,
    settings: credentials ? toTargetProperties(credentials) : {},
    schema: warehouseSchema,
  }
}

/** Like `locateOrganisationTables`, with the stored credentials. */
export async function findOrganisationTables(
  db: Db,
  { secrets }: { readonly secrets: Secrets },
  organisationId: string,
): Promise<TargetLocation> {
  return locateOrganisationTables(organisationId, await decryptCredentials(db, secrets, { organisationId }))
}
