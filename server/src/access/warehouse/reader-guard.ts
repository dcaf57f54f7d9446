/**
 * Finds reader logins that have changed their own password or settings, which PostgreSQL allows to every login. Resets
 * them and records an audit event.
 */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { listReaderLoginStates, type ReaderLoginState, readerSettings, resetReader } from './warehouse-database.ts'
import { forEachServer, type PlacedServer } from './servers/each-server.ts'
import { findWarehousesEverywhere, type WarehouseRow } from './queries.ts'

type ReaderGuardServices = Pick<ConnectionServices, 'audit' | 'secrets' | 'store' | 'warehouse'>

export function guardReaders(services: ReaderGuardServices): Promise<void> {
  return forEachServer(services, (server) => guardReadersOf(services, server))
}

async function guardReadersOf(services: ReaderGuardServices, { id, server }: PlacedServer): Promise<void> {
  const logins = await listReaderLoginStates(server)
  if (logins.length === 0) return
  const expected = new Set(await readerSettings(server))
  // Across: the logins belong to all organisations.
  const rows = await services.store.across((db) =>
    findWarehousesEverywhere(
      db,
      logins.map(({ readerName }) => readerName),
    ),
  )
  for (const row of rows.filter(({ serverId }) => serverId === id)) {
    const login = logins.find(({ readerName }) => readerName === row.readerName)
    const changed = login === undefined ? [] : changesOf(login, row, expected)
    if (changed.length > 0) await resetAndAudit(services, server, row, changed)
  }
}

function changesOf(
  { settings, hasDatabaseSettings, verifier }: ReaderLoginState,
  { readerVerifier }: WarehouseRow,
  expected: ReadonlySet<string>,
) {
  // An admin without superuser rights cannot set temp_file_limit, but the operator may have set it.
  const checked = settings.filter((setting) => expected.has(setting) || !setting.startsWith('temp_file_limit='))
  const hasOtherSettings =
    hasDatabaseSettings || checked.length !== expected.size || checked.some((setting) => !expected.has(setting))
  const hasOtherPassword = verifier !== null && readerVerifier !== null && verifier !== readerVerifier
  return [...(hasOtherSettings ? ['settings'] : []), ...(hasOtherPassword ? ['password'] : [])]
}

async function resetAndAudit(
  services: ReaderGuardServices,
  server: WarehouseServer,
  row: WarehouseRow,
  changed: readonly string[],
): Promise<void> {
  const { organisationId, databaseName } = row
  await resetReader(server, row)
  await services.store.within(organisationId, (db) =>
    services.audit.record(db, systemAuditContext, {
      organisationId,
      action: 'warehouse.reader_set_back',
      object: { type: 'warehouse', id: databaseName },
      detail: { changed: changed.join(' and ') },
    }),
  )
}
