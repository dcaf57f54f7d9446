/** Reads from the warehouse what history is kept of a table. */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { keyOf, type TableName } from '../query/table-model.ts'
import type { WarehouseRow } from './queries.ts'
import { asAdmin } from './warehouse-database.ts'
import { listCutOffs, readHistories, type WarehouseHistory } from './warehouse-histories.ts'

type HistoryServices = Pick<ConnectionServices, 'warehouse'>

/** Undefined if no history is kept of the table. Throws `warehouseUnreachable`. */
export async function readHistory(
  { warehouse }: HistoryServices,
  names: WarehouseRow,
  table: TableName,
): Promise<WarehouseHistory | undefined> {
  return asAdmin(warehouse, names.databaseName, async (client) =>
    (await readHistories(client, names)).get(keyOf(table)),
  ).catch(unreachable)
}

/** The runs whose rows the history knows, the latest first. Throws `warehouseUnreachable`. */
export async function readCutOffs(
  { warehouse }: HistoryServices,
  names: WarehouseRow,
  history: WarehouseHistory,
): Promise<readonly { readonly runId: string; readonly cutOff: string }[]> {
  return asAdmin(warehouse, names.databaseName, (client) => listCutOffs(client, history, cutOffsMax)).catch(unreachable)
}

/** Older moments are typed. */
const cutOffsMax = 200

function unreachable(cause: unknown): never {
  throw new ApiFault('warehouseUnreachable', { cause })
}
