/** Reads all rows of a query and writes them as a file of one of the formats, in constant memory. */
import { PassThrough } from 'node:stream'
import { once } from 'node:events'
import { withPersonConnection } from '../../../access/query/person-connection.ts'
import { streamRows } from '../../../access/query/read-rows.ts'
import type { ColumnModel, TableModel, TableName } from '../../../access/query/table-model.ts'
import type { TableQuery } from '../../../access/query/table-query.ts'
import type { AppServices } from '../../../app-services.ts'
import { limitConcurrency } from '../../../kernel/concurrency-limit.ts'
import { ApiFault } from '../../../kernel/http/api-fault.ts'
import type { DataRequest } from '../list-sources.ts'
import { requireTable } from '../read-table.ts'
import { limitStatements, withStatementFaults } from '../statement-faults.ts'
import type { ExportFormat } from './exported-table.ts'
import { exportSeconds, type FileDestination, writeFile } from './write-file.ts'

export interface ExportRequest extends DataRequest {
  /** Reads the rows and writes the whole file. Aborting the signal of the destination ends it. */
  readonly write: (destination: FileDestination) => Promise<void>
}

export interface TableExportRequest extends DataRequest {
  readonly name: TableName
  /** Turns the table into the one whose rows are exported. */
  readonly atMoment: (table: TableModel) => TableModel
  readonly toQuery: (table: TableModel) => TableQuery
  readonly format: ExportFormat
}

/** People with a download in this process: one would otherwise take all the connections of a person. */
const busy = new Set<string>()

/** Each has a process. The others wait until one ends. */
const limited = limitConcurrency(4, 40)

/**
 * Resolves when the first bytes are there, so that faults until then are replies. A reader that stops early ends the query on the
 * server.
 *
 * Throws `exportRunning` if the person has another download, `tooMany` if many wait, and what `write` throws.
 */
export async function exportRows(services: AppServices, request: ExportRequest): Promise<AsyncIterable<Uint8Array>> {
  const key = JSON.stringify([request.organisationId, request.actor.userId])
  if (busy.has(key)) throw new ApiFault('exportRunning')
  busy.add(key)
  const out = new PassThrough()
  const left = new AbortController()
  out.once('close', () => left.abort())
  const signal = AbortSignal.any([request.signal, left.signal])
  const done = limited(() => request.write({ out, signal })).finally(() => busy.delete(key))
  done.then(
    () => out.end(),
    (error: unknown) => out.destroy(error as Error),
  )
  // An error after the first bytes breaks the download off.
  out.on('error', (error) => services.log.info('a download of a table ended early', { error }))
  await Promise.race([once(out, 'readable', { signal }), done])
  return out
}

/** Writes the rows of a table of the warehouse, read with the person's connection. Throws the faults of `withStatementFaults`. */
export async function writeTableFile(
  services: AppServices,
  request: TableExportRequest,
  { out, signal }: FileDestination,
): Promise<void> {
  const { name, atMoment, toQuery, format } = request
  const failed = new AbortController()
  let failure: unknown
  const connection = { ...request, signal: AbortSignal.any([signal, failed.signal]) }
  await withStatementFaults(signal, () =>
    withPersonConnection(services, connection, async (client) => {
      try {
        await limitStatements(client, exportSeconds)
        const table = atMoment(await requireTable(client, name))
        const { chunks } = streamRows(client, toQuery(table), exactCells)
        await writeFile({ format, table, columns: table.columns }, chunks, { out, signal })
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
