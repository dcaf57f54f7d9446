/** Routes for licences, which decide the bundles of streams that a connector moves. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { licences, type ConnectorLicence } from '@tributary/contract/licences'
import type { Camel } from '@tributary/contract/wire'
import type { StreamBundle } from '@tributary/engine/ports/source'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { sources, spreadsheet } from '../../connections/connectors/connector-types.ts'
import {
  listBundles,
  listGrantedLicences,
  filterLicensedBundles,
} from '../../connections/connectors/connector-licences.ts'
import { lockUndeletedConnector } from '../../connections/connectors/connector-lock.ts'
import { connectorTypeId } from '../../connections/connectors/connector-type-id.ts'
import { badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findConnectorType, replaceLicences } from './queries.ts'

export function licenceRoutes(app: AppRoutes): void {
  const { audit } = app.services

  app.bind(licences.descriptions, async () =>
    [...sources, spreadsheet].map(({ type, description }) => ({ id: connectorTypeId(type), description })),
  )

  app.bindWithin(licences.all, (db, { organisationId, params: { connectorId } }) =>
    listLicences(db, { organisationId, connectorId }),
  )

  bindVisibleConnector(app, licences.held, async (db, connector) =>
    (await listLicences(db, connector)).filter(({ held }) => held),
  )

  app.bindWithin(licences.save, async (db, { organisationId, auditContext, params: { connectorId }, body }) => {
    const connector = { organisationId, connectorId }
    const { type } = await lockUndeletedConnector(db, connector)
    const requested = parseLicences(listBundles(type), body.licences)
    const before = await listGrantedLicences(db, connector)
    await replaceLicences(db, connector, requested)
    const object = { type: 'connector', id: connectorId }
    await audit.record(db, auditContext, {
      action: 'connector.licences_set',
      object,
      detail: { before, after: requested },
    })
    return listLicences(db, connector)
  })
}

/** The requested ids, without duplicates and Base licences, which every connector has. Throws `badInput` for an unknown id. */
function parseLicences(bundles: readonly StreamBundle[], requested: readonly string[]): readonly string[] {
  const unknown = requested.find((id) => !bundles.some((bundle) => bundle.id === id))
  if (unknown !== undefined) throw badField('licences', `includes ${unknown}, which is not a licence of this connector`)
  return bundles.filter(({ id, base }) => !base && requested.includes(id)).map(({ id }) => id)
}

async function listLicences(db: Db, connector: ConnectorLocation): Promise<Camel<ConnectorLicence>[]> {
  const bundles = listBundles(requireFound(await findConnectorType(db, connector)))
  const held = filterLicensedBundles(bundles, await listGrantedLicences(db, connector))
  return bundles.map((bundle) => ({ ...bundle, streams: [...bundle.streams], held: held.includes(bundle) }))
}
