/** The calls about the organisation's warehouse. */
import { warehouse } from '@tributary/contract/warehouse'
import type { AppRoutes } from '../../app-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { listSchemas, setReaderPassword } from '../../access/warehouse/warehouse-database.ts'
import { getWarehouse, storeReaderPassword } from '../../access/warehouse/queries.ts'
import { readerAddressOf } from '../../access/warehouse/servers/reader-address.ts'
import { serverOf } from '../../access/warehouse/servers/server-of.ts'
import { sampleReadersOf } from '../../access/warehouse/reader-last-seen.ts'
import { generatePassword, scramVerifier } from '../../access/warehouse/scram.ts'
import { ensureWarehouse, type OrganisationWarehouse } from '../../access/warehouse/warehouse.ts'

export function warehouseRoutes(app: AppRoutes): void {
  const { services } = app

  async function reached(organisationId: string): Promise<OrganisationWarehouse> {
    try {
      return await ensureWarehouse(services, organisationId)
    } catch (cause) {
      throw new ApiFault('unavailable', { cause })
    }
  }

  async function told(organisationId: string, password: string | null) {
    const row = await services.store.within(organisationId, (db) => getWarehouse(db, organisationId))
    const { host, port, region, server } = await readerAddressOf(services, row)
    const schemas = await listSchemas(server, row)
    const { databaseName: database, readerName: user, readerPasswordSetAt: passwordSetAtUtc } = row
    const { readerSeenAt: atUtc, readerSeenAddress: address, readerSeenProgram: program } = row
    const lastSeen = atUtc === null ? null : { atUtc, address, program }
    return { host, port, region, database, user, password, passwordSetAtUtc, lastSeen, schemas }
  }

  app.bind(warehouse.read, async ({ organisationId }) => {
    const { row } = await reached(organisationId)
    await sampleReadersOf(services, await serverOf(services, row))
    return told(organisationId, null)
  })

  app.bind(warehouse.newPassword, async ({ store, organisationId, auditContext }) => {
    const own = await reached(organisationId)
    const server = await serverOf(services, own.row)
    const password = generatePassword()
    services.log.redactSecret(password)
    await store.within(organisationId, async (db) => {
      const verifier = scramVerifier(password)
      await storeReaderPassword(db, organisationId, { setAt: isoTime(services.clock.now()), verifier })
      // The row is locked, so the warehouse stays where it is.
      const row = await getWarehouse(db, organisationId)
      if (row.serverId !== own.row.serverId) throw new ApiFault('unavailable')
      const object = { type: 'warehouse', id: row.databaseName }
      await services.audit.record(db, auditContext, { action: 'warehouse.password_set', object })
      await setReaderPassword(server, row, verifier)
    })
    return told(organisationId, password)
  })

  app.bind(warehouse.pbids, async ({ organisationId, reply }) => {
    const { row } = await reached(organisationId)
    const { host, port } = await readerAddressOf(services, row)
    reply.header('content-disposition', 'attachment; filename="tributary.pbids"')
    return pbids(`${host}:${port}`, row.databaseName)
  })
}

/** https://learn.microsoft.com/power-bi/connect-data/desktop-data-sources#use-pbids-files-to-get-data */
function pbids(server: string, database: string) {
  const details = { protocol: 'postgresql', address: { server, database } }
  return { version: '0.1', connections: [{ details, options: {}, mode: 'Import' }] }
}
