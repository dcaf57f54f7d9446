/** Reads the history of a table, with the runs that a person can choose to see rows as they were after them. */
import type { TableMoments } from '@tributary/contract/data-history'
import type { Camel } from '@tributary/contract/wire'
import { withPersonConnection } from '../../access/query/person-connection.ts'
import type { TableName } from '../../access/query/table-model.ts'
import { findWarehouse } from '../../access/warehouse/queries.ts'
import { readCutOffs, readHistory } from '../../access/warehouse/read-history.ts'
import type { AppServices } from '../../app-services.ts'
import { ApiFault, requireFound } from '../../kernel/http/api-fault.ts'
import type { DataRequest } from './list-sources.ts'
import { listRunStates } from './queries.ts'
import { requireTable } from './read-table.ts'
import { withStatementFaults } from './statement-faults.ts'

/** Runs that failed or were cancelled are left out: they have not moved everything. */
export async function readMoments(
  services: AppServices,
  request: DataRequest,
  name: TableName,
): Promise<Camel<TableMoments>> {
  const { organisationId, signal } = request
  const warehouse = requireFound(await services.store.within(organisationId, (db) => findWarehouse(db, organisationId)))
  await withStatementFaults(signal, () =>
    withPersonConnection(services, request, (client) => requireTable(client, name)),
  )
  const history = await readHistory(services, warehouse, name)
  if (history === undefined) throw new ApiFault('noHistory', { values: { table: name.name } })
  const { historyName, since, endedAt, connectorId } = history
  const cutOffs = await readCutOffs(services, warehouse, history)
  const states = await services.store.within(organisationId, (db) =>
    listRunStates(db, { organisationId, connectorId }, cutOffs),
  )
  const runs = cutOffs
    .map(({ runId, cutOff }) => ({ runId, asOf: cutOff, status: states.get(runId) ?? null }))
    .filter(({ status }) => status === null || status === 'COMPLETED')
  return { name: historyName, sinceUtc: since, endedAtUtc: endedAt, runs }
}
