/** Readers that have changed their own password or settings, as PostgreSQL lets every login do: found, set back, and audited. */
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import type { Store } from '../../kernel/store/store.ts'
import type { Audit } from '../../security/audit/audit.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { listReaderStandings, type ReaderStanding, readerSettings, resetReader } from './warehouse-database.ts'
import { findReadersEverywhere, type WarehouseRow } from './queries.ts'

interface ReaderGuardServices {
  readonly audit: Audit
  readonly store: Store
  readonly warehouse: WarehouseServer
}

export async function guardReaders(services: ReaderGuardServices): Promise<void> {
  const standings = await listReaderStandings(services.warehouse)
  if (standings.length === 0) return
  const wanted = new Set(await readerSettings(services.warehouse))
  // Across: the logins are of all organisations.
  const rows = await services.store.across((db) =>
    findReadersEverywhere(
      db,
      standings.map(({ readerName }) => readerName),
    ),
  )
  for (const row of rows) {
    const standing = standings.find(({ readerName }) => readerName === row.readerName)
    const changed = standing === undefined ? [] : changesOf(standing, row, wanted)
    if (changed.length > 0) await setBack(services, row, changed)
  }
}

function changesOf(
  { settings, isInDatabases, verifier }: ReaderStanding,
  { readerVerifier }: WarehouseRow,
  wanted: ReadonlySet<string>,
) {
  // Where the admin may not set how much of the disk a query may fill, the operator may have.
  const own = settings.filter((setting) => wanted.has(setting) || !setting.startsWith('temp_file_limit='))
  const hasOthers = isInDatabases || own.length !== wanted.size || own.some((setting) => !wanted.has(setting))
  const hasOtherPassword = verifier !== null && readerVerifier !== null && verifier !== readerVerifier
  return [...(hasOthers ? ['settings'] : []), ...(hasOtherPassword ? ['password'] : [])]
}

async function setBack(services: ReaderGuardServices, row: WarehouseRow, changed: readonly string[]): Promise<void> {
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
