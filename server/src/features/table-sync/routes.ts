/** Routes for the credentials and the tables of the organisation's own database. */
import { tableSync } from '@tributary/contract/table-sync'
import { auditCredentialTest } from '../../security/audit/audit-credential-test.ts'
import type { AppRoutes } from '../../app-services.ts'
import { checkDatabase } from '../../connections/databases/check-database.ts'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import {
  acceptCredentials,
  describeCredentialsForAudit,
  maskCredentials,
} from '../../connections/databases/credentials-form.ts'
import { findCredentials, storeCredentials } from '../../connections/databases/stored-credentials.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { withTimeout } from '../../connections/databases/with-timeout.ts'
import { locateOrganisationTables } from '../../planning/tables/organisation-database.ts'
import { findLatest } from './queries.ts'
import { synchronise, type TableSyncRequest, syncTimeMs } from './sync-tables.ts'

const syncLimit = {
  kind: 'table synchronisation',
  free: 30,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

export function tableSyncRoutes(
  app: AppRoutes,
  dependencies: Pick<TableSyncRequest, 'warehouseTarget' | 'relabel'>,
): void {
  credentialRoutes(app, dependencies.warehouseTarget)
  const { services } = app

  app.bind(tableSync.synchronise, async ({ organisationId, auditContext, signal }) => {
    await services.throttle.attempt(syncLimit, organisationId)
    return withTimeout(services, signal, syncTimeMs, (limited) =>
      synchronise(services, { ...dependencies, auditContext, signal: limited.signal }),
    )
  })

  app.bindWithin(tableSync.latest, (db, { organisationId }) => findLatest(db, organisationId))
}

function credentialRoutes(app: AppRoutes, warehouseTarget: WarehouseTarget): void {
  const { services } = app

  app.bindWithin(tableSync.credentials, async (db, { organisationId }) =>
    maskCredentials(await findCredentials(db, { organisationId })),
  )

  app.bind(tableSync.saveCredentials, async ({ store, organisationId, actor, auditContext, body }) => {
    await countCredentialTest(services, { actor, organisationId })
    return store.within(organisationId, async (db) => {
      const of = { organisationId }
      const accepted = await acceptCredentials(db, services.secrets, of, body)
      await storeCredentials(db, services.secrets, { owner: of, savedBy: actor.userId }, accepted)
      const detail = { after: describeCredentialsForAudit(accepted) }
      await services.audit.record(db, auditContext, { action: 'database.credentials_changed', detail })
      return maskCredentials(await findCredentials(db, of))
    })
  })

  app.bind(tableSync.checkCredentials, async ({ store, organisationId, actor, auditContext, body, signal }) => {
    await countCredentialTest(services, { actor, organisationId })
    const accepted = await store.within(organisationId, (db) =>
      acceptCredentials(db, services.secrets, { organisationId }, body),
    )
    return auditCredentialTest(services, { auditContext, event: { action: 'database.credentials_tested' } }, () =>
      checkDatabase(services, { ...locateOrganisationTables(organisationId, accepted), signal, warehouseTarget }),
    )
  })
}
