/** Reads the warehouse of Harbour Trading under the portal login of a person, and manages tables there like a connector. */
import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Stream } from '@tributary/engine/ports/source'
import { Client, type ClientConfig, type PoolClient } from 'pg'
import { applyAccess } from '../../../server/src/access/logins/apply-access.ts'
import { createSqlLogin } from '../../../server/src/access/logins/sql-login.ts'
import { withPersonConnection } from '../../../server/src/access/query/person-connection.ts'
import { serverOf } from '../../../server/src/access/warehouse/servers/server-of.ts'
import { ensureWarehouse, warehouseTarget } from '../../../server/src/access/warehouse/warehouse.ts'
import { warehouseKind } from '../../../server/src/connections/connectors/connector-types.ts'
import { load } from '../../conformance/target/target-bench.ts'
import { batch } from '../../engine/sync/fixtures.ts'
import { connectionContext } from '../../engine/sync/source-context.ts'
import type { TestApp } from '../app/test-app.ts'

/** Runs `work` under the portal login of a person. */
export function asReader<T>(app: TestApp, userId: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return withPersonConnection(app.services, { organisationId: app.harbour.id, actor: { userId } }, work)
}

/** The rows that a person sees, as text. */
export async function selectAs(app: TestApp, userId: string, text: string): Promise<readonly unknown[][]> {
  const rows = await asReader(app, userId, async (client) => {
    const result = await client.query<unknown[]>({ text, rowMode: 'array' })
    return result.rows
  })
  return rows
}

/** The rows that a person's assistant sees, as text. Throws what PostgreSQL answers. */
export function selectAsAssistant(app: TestApp, userId: string, text: string): Promise<readonly unknown[][]> {
  const request = { organisationId: app.harbour.id, actor: { userId }, reader: 'assistant' } as const
  return withPersonConnection(app.services, request, async (client) => {
    const result = await client.query<unknown[]>({ text, rowMode: 'array' })
    return result.rows
  })
}

/** As the worker does within a second of a change. */
export function applyChanges(app: TestApp): Promise<void> {
  return applyAccess(app.services, app.harbour.id)
}

/** The connection of the login that writes the warehouse. */
export async function writerOf(app: TestApp): Promise<ClientConfig> {
  const { row, writerPassword } = await ensureWarehouse(app.services, app.harbour.id)
  const { host, port } = await serverOf(app.services, row)
  return { host, port, database: row.databaseName, user: row.writerName, password: writerPassword }
}

/** Runs statements. Returns the rows of the last one. */
export async function runAs(connection: ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  return (await observe(connection, text)).rows
}

interface ObservedStatements {
  readonly rows: Record<string, unknown>[]
  readonly notices: readonly string[]
  /** What COPY … TO STDOUT sent. */
  readonly copied: string
}

/** The same, with everything else that the server sent. */
export async function observe(connection: ClientConfig, text: string): Promise<ObservedStatements> {
  const client = new Client(connection)
  const notices: string[] = []
  const chunks: Buffer[] = []
  // A connection that the server ends also rejects the statement.
  client.on('error', () => undefined)
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  const messages = (client as unknown as { readonly connection: EventEmitter }).connection
  messages.on('copyData', ({ chunk }: { readonly chunk: Buffer }) => chunks.push(Buffer.from(chunk)))
  await client.connect()
  try {
    const results = await client.query<Record<string, unknown>>(text)
    const last = Array.isArray(results) ? (results as (typeof results)[]).at(-1) : results
    return { rows: last?.rows ?? [], notices, copied: Buffer.concat(chunks).toString() }
  } finally {
    await client.end()
  }
}

/** The connection of a new SQL login of a person. */
export async function createLoginFor(app: TestApp, userId: string): Promise<ClientConfig> {
  const owner = { organisationId: app.harbour.id, userId }
  const { names, user, password } = await createSqlLogin(app.services, owner, () => Promise.resolve())
  const { host, port } = await serverOf(app.services, names)
  return { host, port, database: names.databaseName, user, password }
}

/** A connection that stays open until it is disposed. `ended` resolves when the server ends it. */
export async function keepOpen(connection: ClientConfig) {
  const client = new Client(connection)
  const ended = new Promise<void>((resolve) => client.on('error', () => resolve()))
  await client.connect()
  return { client, ended, [Symbol.asyncDispose]: () => client.end().catch(() => undefined) }
}

/** Loads a table of a connector into the warehouse, in place of the table's former rows, as a full refresh does. */
export async function refreshTable(
  app: TestApp,
  at: { readonly schema: string; readonly connectorId: string; readonly fence?: number },
  stream: Stream,
  rows: readonly (readonly string[])[],
): Promise<void> {
  const { settings, network } = await warehouseTarget(app.services, app.harbour.id, at.schema)
  const around = { ...connectionContext(new AbortController().signal), network }
  await using target = await warehouseKind.open(warehouseKind.parse(settings), around)
  await target.begin({ connectorId: at.connectorId, runId: randomUUID(), fence: at.fence ?? Date.now() })
  await load(target, stream, { mode: { kind: 'replace', resume: false }, batches: [batch(stream.table, rows)] })
}
