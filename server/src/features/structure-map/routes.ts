/** Route of the structure map. */
import { structureMap } from '@tributary/contract/structure-map'
import type { AppRoutes } from '../../app-services.ts'
import { describeTarget } from '../../connections/databases/open-target.ts'
import { findOrganisationTables } from '../../planning/tables/organisation-database.ts'
import { readStructureMap } from './queries.ts'

export function structureMapRoutes(app: AppRoutes): void {
  const { services } = app
  app.bindWithin(structureMap.read, async (db, { organisationId }) => {
    const location = await findOrganisationTables(db, services, organisationId)
    return readStructureMap(db, organisationId, describeTarget(location))
  })
}
