import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { startTdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { connectSqlServer } from './connection.ts'

test.each([
  [[18_456], 'signIn', 'sqlserver.login_refused', 'user name or the password'],
  [[18_470, 18_456], 'signIn', 'sqlserver.login_refused', 'disabled'],
  [[18_486, 18_456], 'signIn', 'sqlserver.login_refused', 'locked out'],
  [[18_487], 'signIn', 'sqlserver.login_refused', 'expired'],
  [[4_060, 18_456], 'settings', 'sqlserver.no_database', 'Check its name'],
  [[4_064, 18_456], 'settings', 'sqlserver.no_default_database', 'default database'],
  [[916, 18_456], 'settings', 'sqlserver.no_user', 'no user in the database'],
  [[40_615], 'settings', 'sqlserver.firewall', 'firewall'],
  [[40_613], 'busy', 'sqlserver.unavailable', 'not available just now'],
  [[40_501], 'busy', 'sqlserver.throttled', 'too busy'],
  [[18_401, 18_456], 'busy', 'sqlserver.starting', 'starting up'],
  [[922, 4_060, 18_456], 'busy', 'sqlserver.starting', 'being restored'],
] as const)(
  'a login that SQL Server refuses with %j is a %s fault of its own',
  async (loginErrors, kind, code, says) => {
    await using stub = await startTdsStub({ loginErrors })
    const fault = await connectSqlServer(stub.reach, connectionContext()).catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind, code })
    expect((fault as Error).message).toContain(says)
  },
)

test.each([
  ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['a mail server', '220 mail.example ESMTP\r\n'],
  ['a MySQL server', '\u004a\u0000\u0000\u0000\n8.4.0'],
])('%s at the port is not taken for a SQL Server whose connection was lost', async (_, greeting) => {
  const server = createServer((socket) => void socket.on('error', () => undefined).end(greeting)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const reach = {
    host: '127.0.0.1',
    port,
    database: 'shop',
    user: 'reader',
    password: 'x',
    encrypt: false,
    trustServerCertificate: false,
  }
  await expect(connectSqlServer(reach, connectionContext())).rejects.toMatchObject({
    kind: 'settings',
    code: 'sqlserver.another_program',
  })
  server.close()
})

test('a server that closes the connection without an answer is tried again, with the advice to check the port', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const reach = {
    host: '127.0.0.1',
    port,
    database: 'shop',
    user: 'reader',
    password: 'x',
    encrypt: false,
    trustServerCertificate: false,
  }
  await expect(connectSqlServer(reach, connectionContext())).rejects.toMatchObject({
    kind: 'passing',
    code: 'sqlserver.no_answer',
  })
  server.close()
})
