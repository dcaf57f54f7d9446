/** Reads from the warehouse what history is kept of a table. */
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { keyOf, type TableName } from '../query/table-model.ts'
import type { WarehouseRow } from './queries.ts'
import { asAdminOf, type ServerServices } from './servers/server-of.ts'
import { listCutOffs, readHistories, type WarehouseHistory } from './warehouse-histories.ts'

type HistoryServices = ServerServices

/** Undefined if no history is kept of the table. Throws `warehouseUnreachable`. */
export async function readHistory(
  services: HistoryServices,
  names: WarehouseRow,
  table: TableName,
): Promise<WarehouseHistory | undefined> {
  return asAdminOf(services, names, async (client) => (await readHistories(client, names)).get(keyOf(table))).catch(
    unreachable,
  )
}

/** The runs whose rows the history knows, the latest first. Throws `warehouseUnreachable`. */
export async function readCutOffs(
  services: HistoryServices,
  names: WarehouseRow,
  history: WarehouseHistory,
): Promise<readonly { readonly runId: string; readonly cutOff: string }[]> {
  return asAdminOf(services, names, (client) => listCutOffs(client, history, cutOffsMax)).catch(unreachable)
}

/** Older moments are typed. */
const cutOffsMax = 200

function unreachable(cause: unknown): never {
  throw new ApiFault('warehouseUnreachable', { cause })
}
