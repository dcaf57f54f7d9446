/** Two connectors of a shop that are published together in the warehouse, with a worker that runs them. */
import { publications, type PublicationSet } from '@tributary/contract/publications'
import { type PublicationContext, publishDueSets } from '../../../server/src/features/publications/make-publication.ts'
import { warehouseTarget } from '../../../server/src/access/warehouse/warehouse.ts'
import { applyChanges } from '../access/warehouse-login.ts'
import { type HistoryRig, historyRig } from './history-rig.ts'
import { until } from './run-driver.ts'

export interface PublicationRig extends HistoryRig {
  readonly shop: string
  readonly stock: string
  /** Switches publishing on, or changes its rule. */
  save(body?: object): Promise<PublicationSet>
  read(): Promise<PublicationSet>
  /** Polls, because a worker publishes. */
  untilSet(isIt: (set: PublicationSet) => boolean): Promise<PublicationSet>
  /** Runs a connector, whatever its run comes to. */
  runOnce(connectorId: string): Promise<string>
  /** Decides at once, instead of within a minute. */
  decide(context?: Partial<PublicationContext>): Promise<void>
  /** The names of the published views, by their order. */
  viewNames(): Promise<readonly string[]>
  /** The cities that the published view of the connector's customers shows. */
  cities(view?: string): Promise<readonly string[]>
}

export const anyRule = { tieOut: 'any', verifiedWithinDays: null, incidentAfterHours: null } as const

export async function publicationRig(options?: Parameters<typeof historyRig>[0]): Promise<PublicationRig> {
  const rig = await historyRig(options)
  const { app, driver } = rig
  const stock = await driver.add('Stock')
  const params = { clientId: app.harbour.id }
  const list = async () => (await app.as.admin.call(publications.list, { params })).body
  const read = async () => {
    const [set] = await list()
    if (set === undefined) throw new Error('No database is listed.')
    return set
  }
  return {
    ...rig,
    shop: rig.connectorId,
    stock,
    async save(body = {}) {
      const { Id: setId } = await read()
      const reply = await app.as.admin.call(publications.save, {
        params: { ...params, setId },
        body: { connectors: [rig.connectorId, stock], ...anyRule, ...body },
      })
      if (reply.status !== 200) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`)
      return reply.body
    },
    read,
    untilSet: (isIt) => until(read, isIt),
    async runOnce(connectorId) {
      const { Id } = await driver.runToEnd(connectorId)
      return Id
    },
    async decide(context = {}) {
      await app.store.across((db) => db.updateTable('publicationSet').set({ decidedAt: null }).execute())
      await publishDueSets(app.services, {
        warehouseTarget: (organisationId, schema) => warehouseTarget(app.services, organisationId, schema),
        signal: AbortSignal.timeout(60_000),
        ...context,
      })
    },
    async viewNames() {
      const rows = await driver.inWarehouse<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relkind = 'v' AND relnamespace = to_regnamespace('published') ORDER BY 1`,
      )
      return rows.map(({ name }) => name)
    },
    async cities(view = 'customer') {
      await applyChanges(app)
      const rows = await driver.inWarehouse<{ city: string }>(`SELECT city FROM published.${view} ORDER BY id`)
      return rows.map(({ city }) => city)
    },
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
    },
  }
}
