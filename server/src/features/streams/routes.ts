/** What a connector moves, table by table. */
import { streams } from '@tributary/contract/streams'
import type { AppRoutes } from '../../app-services.ts'
import { bindVisibleConnector } from '../../connections/connectors/connector-access.ts'
import { listStreams } from './queries.ts'

export function streamRoutes(app: AppRoutes): void {
  bindVisibleConnector(app, streams.list, listStreams)
}
