/** Switches the login that all reports of an organisation share on and off. */
import { escapeIdentifier as q } from 'pg'
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { OrganisationContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { serverOf } from '../warehouse/servers/server-of.ts'
import { asAdmin } from '../warehouse/warehouse-database.ts'
import { getWarehouse, storeReaderState } from '../warehouse/queries.ts'
import { ensureWarehouse } from '../warehouse/warehouse.ts'
import { endConnections } from './person-roles.ts'

/** Switching off ends the connections of the login. */
export async function setSharedReader(
  services: Pick<ConnectionServices, 'audit' | 'clock' | 'secrets' | 'store' | 'warehouse'>,
  { organisationId, isOn }: { readonly organisationId: string; readonly isOn: boolean },
  auditContext: OrganisationContext,
): Promise<void> {
  const { row } = await ensureWarehouse(services, organisationId)
  const server = await serverOf(services, row)
  await services.store.within(organisationId, async (db) => {
    await storeReaderState(db, organisationId, isOn ? null : isoTime(services.clock.now()))
    // The row is locked, so the warehouse stays where it is.
    const { serverId } = await getWarehouse(db, organisationId)
    if (serverId !== row.serverId) throw new ApiFault('unavailable')
    const object = { type: 'warehouse', id: row.databaseName }
    const detail = { after: isOn }
    await services.audit.record(db, auditContext, { action: 'warehouse.reader_switched', object, detail })
    await asAdmin(server, row.databaseName, async (client) => {
      await client.query(`ALTER ROLE ${q(row.readerName)} ${isOn ? 'LOGIN' : 'NOLOGIN'}`)
      if (!isOn) await endConnections(client, row.readerName, null)
    })
  })
}
