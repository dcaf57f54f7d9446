/**
 * Finds reader logins that have changed their own password or settings, which PostgreSQL allows to every login. Resets
 * them and records an audit event.
 */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { listReaderLoginStates, type ReaderLoginState, readerSettings, resetReader } from './warehouse-database.ts'
import { findWarehousesEverywhere, type WarehouseRow } from './queries.ts'

type ReaderGuardServices = Pick<ConnectionServices, 'audit' | 'store' | 'warehouse'>

export async function guardReaders(services: ReaderGuardServices): Promise<void> {
  const logins = await listReaderLoginStates(services.warehouse)
  if (logins.length === 0) return
  const expected = new Set(await readerSettings(services.warehouse))
  // Across: the logins belong to all organisations.
  const rows = await services.store.across((db) =>
    findWarehousesEverywhere(
      db,
      logins.map(({ readerName }) => readerName),
    ),
  )
  for (const row of rows) {
    const login = logins.find(({ readerName }) => readerName === row.readerName)
    const changed = login === undefined ? [] : changesOf(login, row, expected)
    if (changed.length > 0) await resetAndAudit(services, row, changed)
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
  row: WarehouseRow,
  changed: readonly string[],
): Promise<void> {
  const { organisationId, databaseName } = row
  await resetReader(services.warehouse, row)
  await services.store.within(organisationId, (db) =>
    services.audit.record(db, systemAuditContext, {
      organisationId,
      action: 'warehouse.reader_set_back',
      object: { type: 'warehouse', id: databaseName },
      detail: { changed: changed.join(' and ') },
    }),
  )
}
