/**
 * A server that speaks TDS like SQL Server, for tests. It checks the login, records every statement and bulk-loaded
 * row, and sends scripted replies. It understands no SQL: it verifies what is sent and how replies are read. Of a real
 * server's behaviour it reproduces only this:
 * - `SET NOCOUNT ON` holds until the session ends, and no statement reports its rows meanwhile.
 * - tempdb compares case-insensitively, whatever the database's collation: text in a temporary table without a
 *   collation is refused here, because a real server would silently treat two keys as one.
 * - A refused login may come with several errors, of which the last is 18456.
 * - An application lock of a transaction is granted to one session at a time, until it commits, rolls back or ends.
 */
import { appendFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { SqlServerReach } from '@tributary/engine/databases/sqlserver/settings'
import { type BulkRows, readBulk } from './tds-stub-bulk.ts'
import * as wire from './tds-stub-wire.ts'

/** The file in which `npm run programme -- tsql` collects the statements of all tests. */
const collected = process.env['TRIBUTARY_TSQL_STATEMENTS']

export type StubAnswer =
  | { readonly rows: readonly (readonly unknown[])[]; readonly columns?: number }
  | { readonly affected: number }
  | { readonly error: number; readonly message?: string }
  /** The statement runs until the client cancels it. */
  | 'endless'

export interface StubOptions {
  readonly user?: string
  readonly password?: string
  /** The reply to a statement; undefined means that it succeeded and changed nothing. */
  readonly answer?: (sql: string) => StubAnswer | undefined
  /** Refuses every login with these errors. */
  readonly loginErrors?: readonly number[]
  /** Routes every client to this address, like the listener of an availability group. */
  readonly route?: { readonly host: string; readonly port: number }
}

export interface BulkLoaded extends BulkRows {
  /** `insert bulk …`, as it was sent. */
  readonly sql: string
}

export interface TdsStub extends AsyncDisposable {
  readonly reach: SqlServerReach
  /** All statements in order, including those of bulk loads. */
  readonly statements: readonly string[]
  readonly bulks: readonly BulkLoaded[]
  /** How many times clients have cancelled a statement. */
  cancelled(): number
}

export async function startTdsStub({
  user = 'reader',
  password = 'canary-sqlserver-password',
  answer = () => undefined,
  route,
  loginErrors,
}: StubOptions = {}): Promise<TdsStub> {
  const { reply, statements, bulks, cancelled } = createResponder({ user, password, answer, route, loginErrors })
  const sockets = new Set<Socket>()
  const lock = new ApplicationLock()

  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    const session: TdsSession = { isSilent: false, isBusy: false }
    socket.on('close', () => lock.release(session))
    const read = wire.messageReader((message) => {
      const sql = message.type === wire.packetTypes.batch ? wire.readBatch(message.payload) : ''
      if (/^(?:COMMIT|ROLLBACK) TRANSACTION/u.test(sql)) lock.release(session)
      if (sql.includes('sp_getapplock') && sql.includes("@LockOwner = 'Transaction'"))
        lock.take(session, () => respond(message))
      else respond(message)
    })
    const respond = (message: wire.TdsMessage) => {
      if (message.type === wire.packetTypes.attention && session.isBusy) {
        // The statement ends first: each message of a client has a response.
        session.isBusy = false
        socket.write(wire.responsePackets(wire.done('error')))
      }
      const tokens = reply(message, session)
      if (tokens !== null) socket.write(wire.responsePackets(tokens))
    }
    socket.on('data', read)
  })
  const port = await listen(server)
  return {
    reach: { host: '127.0.0.1', port, database: 'shop', user, password, encrypt: false, trustServerCertificate: false },
    statements,
    bulks,
    cancelled,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type ResponderOptions = Required<Pick<StubOptions, 'user' | 'password' | 'answer'>> & {
  readonly [Name in 'route' | 'loginErrors']: StubOptions[Name] | undefined
}

/** Replies to messages, and records statements and bulk loads. */
function createResponder({ user, password, answer, route, loginErrors }: ResponderOptions) {
  const statements: string[] = []
  const bulks: BulkLoaded[] = []
  let attentions = 0

  function reply(message: wire.TdsMessage, session: TdsSession): Buffer | null {
    switch (message.type) {
      case wire.packetTypes.prelogin:
        return wire.preloginReply()
      case wire.packetTypes.login:
        return logIn(wire.readLogin(message.payload))
      case wire.packetTypes.batch:
        return runBatch(wire.readBatch(message.payload), session)
      case wire.packetTypes.bulk:
        return takeBulk(message.payload)
      case wire.packetTypes.attention:
        attentions += 1
        return wire.done('attention')
      default:
        return null
    }
  }

  function logIn(login: wire.TdsLogin): Buffer {
    const isKnown = login.user === user && login.password === password
    const errors = loginErrors ?? (isKnown ? [] : [18_456])
    if (errors.length > 0)
      return Buffer.concat([
        ...errors.map((number) => wire.errorToken(number, `Login failed for user '${login.user}'.`)),
        wire.done('error'),
      ])
    return Buffer.concat([
      ...(route === undefined ? [] : [wire.routing(route.host, route.port)]),
      wire.loginAck(),
      wire.done('count'),
    ])
  }

  function runBatch(sql: string, session: TdsSession): Buffer | null {
    const isSetUp = sql.startsWith('set ansi_nulls')
    if (!isSetUp) statements.push(sql)
    if (!isSetUp && collected !== undefined) appendFileSync(collected, `${sql}\0`)
    for (const [, switched] of sql.matchAll(/\bSET NOCOUNT (ON|OFF)\b/gu)) session.isSilent = switched === 'ON'
    const answered = answer(sql) ?? (comparesAsTempdb(sql) ? collationConflict : { affected: 0 })
    session.isBusy = answered === 'endless'
    return answered === 'endless' ? null : answerTokens(answered, session)
  }

  function takeBulk(payload: Buffer): Buffer {
    const bulk = readBulk(payload)
    bulks.push({ ...bulk, sql: statements.at(-1) ?? '' })
    return wire.done('count', bulk.rows.length)
  }

  return { reply, statements, bulks, cancelled: () => attentions }
}

function answerTokens(answered: Exclude<StubAnswer, 'endless'>, { isSilent }: TdsSession): Buffer {
  if ('error' in answered)
    return Buffer.concat([
      wire.errorToken(answered.error, answered.message ?? 'The statement failed.'),
      wire.done('error'),
    ])
  if ('affected' in answered) return isSilent ? wire.done('final') : wire.done('count', answered.affected)
  const columns = answered.columns ?? answered.rows[0]?.length ?? 1
  return Buffer.concat([wire.resultSet(answered.rows, columns), wire.done('count', answered.rows.length)])
}

interface TdsSession {
  isSilent: boolean
  /** A statement runs until it is cancelled. */
  isBusy: boolean
}

const collationConflict: StubAnswer = {
  error: 468,
  message:
    'Cannot resolve the collation conflict between "SQL_Latin1_General_CP1_CI_AS" and "Latin1_General_100_BIN2" in the equal to operation.',
}

function comparesAsTempdb(sql: string): boolean {
  return sql.startsWith('CREATE TABLE [#') && /\bnvarchar\((?:\d+|max)\)(?! COLLATE )/u.test(sql)
}

class ApplicationLock {
  /** The first holds the lock. */
  #queue: { readonly session: TdsSession; readonly granted: () => void }[] = []

  take(session: TdsSession, granted: () => void): void {
    if (this.#queue[0]?.session === session) return granted()
    this.#queue.push({ session, granted })
    if (this.#queue.length === 1) granted()
  }

  release(session: TdsSession): void {
    const held = this.#queue[0]
    this.#queue = this.#queue.filter((waiting) => waiting.session !== session)
    if (held !== this.#queue[0]) this.#queue[0]?.granted()
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
