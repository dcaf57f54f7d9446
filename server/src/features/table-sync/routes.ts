/** The calls about the organisation's own database and its tables. */
import { tableSync } from '@tributary/contract/table-sync'
import { auditTest } from '../../security/audit/audit-credential-test.ts'
import type { App } from '../../parts.ts'
import { checkDatabase } from '../../connections/databases/check-database.ts'
import { rationCredentials } from '../../connections/databases/credential-test-limits.ts'
import { acceptCredentials, loggedCredentials, shownCredentials } from '../../connections/databases/credentials-form.ts'
import { findCredentials, storeCredentials } from '../../connections/databases/stored-credentials.ts'
import type { WarehouseTarget } from '../../connections/databases/warehouse-server.ts'
import { withinTime } from '../../connections/databases/with-timeout.ts'
import { placeOf } from '../../planning/tables/organisation-database.ts'
import { findLatest } from './queries.ts'
import { synchronise, type SyncRequest, syncTimeMs } from './sync-tables.ts'

const syncLimit = {
  kind: 'table synchronisation',
  free: 30,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: 3_600_000,
  isShared: true,
}

export function tableSyncRoutes(app: App, around: Pick<SyncRequest, 'warehouseTarget' | 'relabel'>): void {
  credentialRoutes(app, around.warehouseTarget)
  const { parts } = app

  app.bind(tableSync.synchronise, async ({ organisationId, actor, origin, signal }) => {
    await parts.throttle.attempt(syncLimit, organisationId)
    return withinTime(parts, { signal, timeMaxMs: syncTimeMs }, (limited) =>
      synchronise(parts, { ...around, organisationId, origin, userId: actor.userId, signal: limited.signal }),
    )
  })

  app.bind(tableSync.latest, ({ store, organisationId }) =>
    store.within(organisationId, (db) => findLatest(db, organisationId)),
  )
}

function credentialRoutes(app: App, warehouseTarget: WarehouseTarget): void {
  const { parts } = app

  app.bind(tableSync.credentials, ({ store, organisationId }) =>
    store.within(organisationId, async (db) => shownCredentials(await findCredentials(db, { organisationId }))),
  )

  app.bind(tableSync.saveCredentials, async ({ store, organisationId, actor, origin, body }) => {
    await rationCredentials(parts, { actor, organisationId })
    return store.within(organisationId, async (db) => {
      const of = { organisationId }
      const accepted = await acceptCredentials(db, parts.secrets, of, body)
      await storeCredentials(db, parts.secrets, { of, savedBy: actor.userId }, accepted)
      const detail = { after: loggedCredentials(accepted) }
      await parts.audit.record(db, origin, {
        organisationId,
        action: 'database.credentials_changed',
        outcome: 'success',
        detail,
      })
      return shownCredentials(await findCredentials(db, of))
    })
  })

  app.bind(tableSync.checkCredentials, async ({ store, organisationId, actor, origin, body, signal }) => {
    await rationCredentials(parts, { actor, organisationId })
    const accepted = await store.within(organisationId, (db) =>
      acceptCredentials(db, parts.secrets, { organisationId }, body),
    )
    return auditTest(parts, { organisationId, origin, event: { action: 'database.credentials_tested' } }, () =>
      checkDatabase(parts, { ...placeOf(organisationId, accepted), signal, warehouseTarget }),
    )
  })
}
