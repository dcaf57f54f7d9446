/** Calls of the query editor, also on targets that an administrator has given a second login. */
import { queries, type ReadingLoginProof } from '@tributary/contract/queries'
import type { TestClient } from '../app/client.ts'
import type { TestApp } from '../app/test-app.ts'

export const readingPassword = 'canary-reading-password'

export const targetParams = (app: TestApp, connectorId: string) => ({ clientId: app.harbour.id, connectorId })

/** Stores a second login, which has `readingPassword`. */
export function saveReadingLogin(app: TestApp, connectorId: string, user: string, as: TestClient = app.as.admin) {
  const body = { user, password: readingPassword }
  return as.call(queries.saveLogin, { params: targetParams(app, connectorId), body })
}

/** @param database the warehouse, or a connector */
export function runQuery(app: TestApp, database: string, statement: string, as: TestClient = app.as.admin) {
  return as.call(queries.run, { params: { clientId: app.harbour.id }, body: { database, statement } })
}

/** The tables that the editor completes. */
export function listTables(app: TestApp, database: string, as: TestClient = app.as.admin) {
  return as.call(queries.tables, { params: { clientId: app.harbour.id }, query: { database } })
}

/** Starts a query as the administrator, over another connection. Returns how to give up on it, as a browser does. */
export async function startQuery(app: TestApp, database: string, statement: string): Promise<() => Promise<void>> {
  const session = await app.as.admin.session()
  const left = new AbortController()
  const address = app.http.server.listening ? addressOf(app) : await app.http.listen({ host: '127.0.0.1', port: 0 })
  const reply = fetch(`${address}/api${queries.run.path.replace(':clientId', app.harbour.id)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session?.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ database, statement }),
    signal: left.signal,
  })
  const ended = reply.then(
    () => undefined,
    () => undefined,
  )
  return () => {
    left.abort()
    return ended
  }
}

function addressOf({ http }: TestApp): string {
  const address = http.server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return `http://127.0.0.1:${address.port}`
}

export function failuresOf({ Checks }: ReadingLoginProof): string[] {
  return Checks.filter(({ Outcome }) => Outcome === 'failed').map(({ Notice }) => Notice ?? '')
}
