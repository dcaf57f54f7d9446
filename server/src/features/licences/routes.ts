/** The calls about licences: which bundles of streams a connector moves. */
import type { ConnectorLocation } from '../../connections/connectors/connector-settings.ts'
import { licences, type ConnectorLicence } from '@tributary/contract/licences'
import type { Camel } from '@tributary/contract/wire'
import type { StreamBundle } from '@tributary/engine/ports/source'
import type { AppRoutes } from '../../app-services.ts'
import { requireVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { sources, spreadsheet } from '../../connections/connectors/connector-types.ts'
import {
  listBundles,
  listGrantedLicences,
  filterLicensedBundles,
} from '../../connections/connectors/connector-licences.ts'
import { lockConnector } from '../../connections/connectors/connector-lock.ts'
import { connectorTypeId } from '../../connections/connectors/connector-type-id.ts'
import { ApiFault, badField } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { findType, replaceLicences } from './queries.ts'

export function licenceRoutes(app: AppRoutes): void {
  const { services } = app

  app.bind(licences.descriptions, async () =>
    [...sources, spreadsheet].map(({ type, description }) => ({ id: connectorTypeId(type), description })),
  )

  app.bind(licences.all, ({ store, organisationId, params: { connectorId } }) =>
    store.within(organisationId, (db) => listLicences(db, { organisationId, connectorId })),
  )

  app.bind(licences.held, ({ store, organisationId, actor, params: { connectorId } }) =>
    store.within(organisationId, async (db) => {
      await requireVisibleConnector(db, organisationId, actor, connectorId)
      const all = await listLicences(db, { organisationId, connectorId })
      return all.filter(({ held }) => held)
    }),
  )

  app.bind(licences.save, ({ store, organisationId, auditContext, params: { connectorId }, body }) =>
    store.within(organisationId, async (db) => {
      const connector = await lockConnector(db, organisationId, connectorId)
      if (connector === undefined || connector.status === 'DELETED') throw new ApiFault('notFound')
      const wished = grantable(listBundles(connector.type), body.licences)
      const before = await listGrantedLicences(db, { organisationId, connectorId })
      await replaceLicences(db, organisationId, connectorId, wished)
      const object = { type: 'connector', id: connectorId }
      const detail = { before, after: wished }
      await services.audit.record(db, auditContext, {
        action: 'connector.licences_set',
        outcome: 'success',
        object,
        detail,
      })
      return listLicences(db, { organisationId, connectorId })
    }),
  )
}

/** Each once and without the Base ones, which every connector has; throws where there is none of that id. */
function grantable(bundles: readonly StreamBundle[], wished: readonly string[]): readonly string[] {
  const unknown = wished.find((id) => !bundles.some((bundle) => bundle.id === id))
  if (unknown !== undefined) throw badField('licences', `has ${unknown} in it, which is no licence of this connector`)
  return bundles.filter(({ id, base }) => !base && wished.includes(id)).map(({ id }) => id)
}

async function listLicences(db: Db, place: ConnectorLocation): Promise<Camel<ConnectorLicence>[]> {
  const type = await findType(db, place.organisationId, place.connectorId)
  if (type === undefined) throw new ApiFault('notFound')
  const bundles = listBundles(type)
  const held = filterLicensedBundles(bundles, await listGrantedLicences(db, place))
  return bundles.map((bundle) => ({ ...bundle, streams: [...bundle.streams], held: held.includes(bundle) }))
}
