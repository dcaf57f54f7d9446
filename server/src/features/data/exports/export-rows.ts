/** Reads all rows of a query in constant memory and writes them as a file of one of the formats. */
import { PassThrough } from 'node:stream'
import { once } from 'node:events'
import type { DataCell } from '@tributary/contract/data'
import type { PoolClient } from 'pg'
import { withPersonConnection } from '../../../access/query/person-connection.ts'
import { streamRows } from '../../../access/query/read-rows.ts'
import type { ColumnModel, TableModel, TableName } from '../../../access/query/table-model.ts'
import type { TableQuery } from '../../../access/query/table-query.ts'
import type { AppServices } from '../../../app-services.ts'
import { ApiFault } from '../../../kernel/http/api-fault.ts'
import type { DataRequest } from '../list-sources.ts'
import { requireTable } from '../read-table.ts'
import { limitStatements, withStatementFaults } from '../statement-faults.ts'

export type ExportRow = readonly DataCell[]

export interface ExportedTable {
  readonly table: TableModel
  readonly columns: readonly ColumnModel[]
  /** Rows in batches; their cells are as in the contract's `DataRows`. */
  readonly rows: AsyncIterable<readonly ExportRow[]>
}

/** Yields the bytes of a file, or its text in UTF-8. */
export type FileWriter = (exported: ExportedTable) => AsyncIterable<string | Uint8Array>

export interface ExportRequest extends DataRequest {
  readonly name: TableName
  readonly toQuery: (table: TableModel) => TableQuery
  readonly write: FileWriter
}

/** A slow network may take its time, but not hold a connection for ever. */
const exportSeconds = 30 * 60

/** People with a download in this process: one would otherwise take all the connections of a person. */
const busy = new Set<string>()

/**
 * Resolves when the first bytes are there, so that faults until then are replies. A reader that stops early ends the query on the
 * server.
 *
 * Throws `exportRunning` if the person has another download, and the faults of `withStatementFaults`.
 */
export async function exportRows(services: AppServices, request: ExportRequest): Promise<AsyncIterable<Uint8Array>> {
  const key = JSON.stringify([request.organisationId, request.actor.userId])
  if (busy.has(key)) throw new ApiFault('exportRunning')
  busy.add(key)
  const out = new PassThrough()
  const left = new AbortController()
  out.once('close', () => left.abort())
  const signal = AbortSignal.any([request.signal, left.signal])
  const done = writeTo(out, services, { ...request, signal }).finally(() => busy.delete(key))
  done.then(
    () => out.end(),
    (error: unknown) => out.destroy(error as Error),
  )
  // An error after the first bytes breaks the download off.
  out.on('error', (error) => services.log.info('a download of a table ended early', { error }))
  await Promise.race([once(out, 'readable', { signal }), done])
  return out
}

async function writeTo(out: PassThrough, services: AppServices, request: ExportRequest): Promise<void> {
  const { name, toQuery, write, signal } = request
  const failed = new AbortController()
  let failure: unknown
  const connection = { ...request, signal: AbortSignal.any([signal, failed.signal]) }
  await withStatementFaults(signal, () =>
    withPersonConnection(services, connection, async (client) => {
      try {
        await limitStatements(client, exportSeconds)
        const table = await requireTable(client, name)
        for await (const bytes of write({ table, columns: table.columns, rows: readBatches(client, toQuery(table)) }))
          if (!out.write(bytes)) await once(out, 'drain', { signal })
      } catch (error) {
        failure = error
        // The statement may still be sending rows, so the connection must be closed.
        failed.abort()
        throw error
      }
    }).catch((error: unknown) => {
      throw failure ?? error
    }),
  )
}

const exactCells = {
  exactNumbers: 'text',
  properties: (columns: readonly ColumnModel[]) => columns.map((column, at) => ({ name: `c${at}`, column })),
} as const

/** PostgreSQL writes each row as a line of JSON, which has no line break within. */
async function* readBatches(client: PoolClient, query: TableQuery): AsyncGenerator<readonly ExportRow[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of streamRows(client, query, exactCells).chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(toRow)
  }
  if (rest !== '') yield [toRow(rest)]
}

function toRow(line: string): ExportRow {
  const json = line.endsWith(',') ? line.slice(0, -1) : line
  return Object.values(JSON.parse(json) as Readonly<Record<string, DataCell>>)
}
