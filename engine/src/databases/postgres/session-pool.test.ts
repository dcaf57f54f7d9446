import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Fault } from '../../ports/faults.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { openTlsProxy, type TlsProxy } from '@tributary/testing/engine/databases/tls-proxy.ts'
import type { PostgresAddress } from './address.ts'
import { errorCode, postgresFault } from './faults.ts'
import { openSessionPool } from './session-pool.ts'

const canary = 'canary-wrong-password'
let front: TlsProxy
beforeAll(async () => {
  front = await openTlsProxy(inject('postgres'))
})
afterAll(() => front[Symbol.asyncDispose]())

function connect(change: Partial<PostgresAddress>, signal?: AbortSignal): Promise<unknown> {
  const address: PostgresAddress = { ...inject('postgres'), database: 'postgres', sslmode: 'disable', ...change }
  return use(address, (client) => client.query('SELECT 1 AS one').then(({ rows }) => rows), signal)
}

async function use<T>(
  address: PostgresAddress,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  await using sessions = openSessionPool({
    address,
    around: connectionContext(signal),
    side: 'source',
    setUp: async () => {},
  })
  return await sessions.use(work)
}

async function failure(change: Partial<PostgresAddress>): Promise<Fault> {
  const error: unknown = await connect(change).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Fault)
  return error as Fault
}

test('TLS without a look at the certificate works over a socket that was dialled before', async () => {
  expect(await connect({ port: front.port, sslmode: 'require' })).toEqual([{ one: 1 }])
  expect(front.encrypted()).toBe(1)
})

test.each([
  [
    'a certificate that nobody vouches for',
    (): Partial<PostgresAddress> => ({ port: front.port, sslmode: 'verify-full' }),
    'settings',
    'postgres.certificate',
  ],
  ['a server without TLS', (): Partial<PostgresAddress> => ({ sslmode: 'require' }), 'settings', 'postgres.no_tls'],
  ['a wrong password', (): Partial<PostgresAddress> => ({ password: canary }), 'signIn', 'postgres.login_refused'],
  ['an empty password', (): Partial<PostgresAddress> => ({ password: '' }), 'signIn', 'postgres.login_refused'],
  [
    'a user that is not there',
    (): Partial<PostgresAddress> => ({ user: 'nobody' }),
    'signIn',
    'postgres.login_refused',
  ],
  [
    'a database that is not there',
    (): Partial<PostgresAddress> => ({ database: 'nowhere' }),
    'settings',
    'postgres.no_database',
  ],
  ['a port where nobody listens', (): Partial<PostgresAddress> => ({ port: 1 }), 'passing', 'network.unreachable'],
] as const)('%s is told as what it is, in words and without a secret', async (_, change, kind, code) => {
  const fault = await failure(change())
  expect([fault.kind, fault.code]).toEqual([kind, code])
  for (const secret of [canary, inject('postgres').password])
    expect(fault.notice + String(fault.stack)).not.toContain(secret)
})

test('where no password was entered, the server is sent none, least of all one of our own environment', async () => {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // The start of a session is answered with the wish for the password as it is.
    socket.once('data', () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])))
    socket.on('data', (bytes) => received.push(bytes.toString('latin1')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env['PGPASSWORD'] = canary
  const { port } = server.address() as AddressInfo
  await connect({ port, password: '' }, AbortSignal.timeout(500)).catch(() => undefined)
  delete process.env['PGPASSWORD']
  server.close()
  expect(received.length).toBeGreaterThan(0)
  expect(received.join('')).not.toContain(canary)
})

test('an abort in the midst of a query ends it at once, with the reason of the abort', async () => {
  const stop = new AbortController()
  const since = performance.now()
  const asked = connectAndSleep(stop)
  await expect(asked).rejects.toThrow('stopped by a person')
  expect(performance.now() - since).toBeLessThan(1_000)
})

function connectAndSleep(stop: AbortController): Promise<unknown> {
  const address: PostgresAddress = { ...inject('postgres'), database: 'postgres', sslmode: 'disable' }
  return use(
    address,
    (client) => {
      const asked = client.query('SELECT pg_sleep(30)')
      stop.abort(new Error('stopped by a person'))
      return asked
    },
    stop.signal,
  )
}

test.each([
  ['28P01', 'signIn'],
  ['28000', 'signIn'],
  ['3D000', 'settings'],
  ['42501', 'settings'],
  ['25006', 'settings'],
  ['53100', 'settings'],
  ['53300', 'busy'],
  ['57P03', 'busy'],
  ['57P01', 'passing'],
  ['08006', 'passing'],
  ['40P01', 'passing'],
  ['55P03', 'passing'],
  ['ECONNRESET', 'passing'],
  ['22P02', 'data'],
  ['23505', 'data'],
])('the code %s is a fault of the kind %s', (code, kind) => {
  const said = Object.assign(new Error('FATAL: password "canary-wrong-password" in a banner'), { code })
  const fault = postgresFault(said, 'target')
  expect(fault).toMatchObject({ kind, notice: expect.not.stringContaining(canary) })
  if (kind === 'busy') expect((fault as Fault).waitMs).toBeGreaterThan(0)
})

test('what is not the server’s own error stays what it is', () => {
  const other = new TypeError('x is undefined')
  expect(postgresFault(other, 'source')).toBe(other)
  expect(errorCode(other)).toBe('')
})
