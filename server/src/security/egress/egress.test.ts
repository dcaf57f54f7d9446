import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { Fault } from '@tributary/engine/ports/faults'
import type { Protocol } from '@tributary/engine/ports/network'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNetwork, type NetworkOptions } from './egress.ts'
import { StartRefused } from '../../kernel/start-error.ts'

let server: Server
let port: number
beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => undefined).end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

interface DialOptions extends Partial<NetworkOptions> {
  readonly protocol?: Protocol
}

async function dial(host: string, { protocol = 'http', ...options }: DialOptions = {}, to = port): Promise<string> {
  const network = openNetwork({ allow: [], deny: () => [], connectMs: 300, ...options })
  try {
    const socket = await network.dial(host, to, AbortSignal.timeout(5_000), protocol)
    socket.destroy()
    return 'connected'
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `${error.kind} ${error.code}`
  }
}

const internal = [
  '127.0.0.1',
  'localhost',
  '::1',
  '[::1]',
  '10.0.0.1',
  '172.16.5.5',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '192.0.0.192',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '198.18.0.1',
  '203.0.113.7',
]
test.each(internal)('%s is internal and is refused with the same message', async (host) => {
  expect(await dial(host)).toBe('settings network.refused')
  const network = openNetwork({ allow: [], deny: () => [] })
  const name = host.replace(/^\[|\]$/gu, '')
  await expect(network.dial(host, 5432, new AbortController().signal, 'http')).rejects.toThrow(
    `Tributary may not connect to ${name}:5432: it is an internal address. The operator of this server can allow it with TRIBUTARY_ALLOW_HOSTS=${name}:5432.`,
  )
})

test.each(['8.8.8.8', '93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:8.8.8.8'])(
  '%s, an address of the public Internet, is dialled',
  async (host) => {
    const network = openNetwork({ allow: [], deny: () => [] })
    // An aborted signal lets it pass the checks without connecting.
    await expect(network.dial(host, 443, AbortSignal.abort(new Error('would be dialled')), 'http')).rejects.toThrow(
      'would be dialled',
    )
  },
)

test.each(['2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '::1%lo'])(
  '%s, an address written to be misread, is no host',
  async (host) => {
    expect(await dial(host)).toBe('settings network.unknown_host')
  },
)

test('allowed names, addresses and blocks are reachable, at that port only', async () => {
  expect(await dial('127.0.0.1', { allow: [`127.0.0.1:${port}`] })).toBe('connected')
  expect(await dial('localhost', { allow: [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`] })).toBe(
    'connected',
  )
  expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'] })).toBe('connected')
  expect(await dial('127.0.0.1', { allow: [`127.0.0.1:${port + 1}`] })).toBe('settings network.refused')
})

test('[ISSUE 20 D20] an address allowed for one protocol is refused for others', async () => {
  const allowFor = { postgres: [`127.0.0.1:${port}`] }
  expect(await dial('127.0.0.1', { allowFor, protocol: 'postgres' })).toBe('connected')
  expect(await dial('127.0.0.1', { allowFor, protocol: 'postgres', deny: () => [{ host: '127.0.0.1', port }] })).toBe(
    'settings network.refused',
  )
  for (const protocol of ['http', 'mysql', 'sqlserver'] as const)
    for (const host of ['127.0.0.1', 'localhost', '::ffff:127.0.0.1'])
      expect(await dial(host, { allowFor, protocol })).toBe('settings network.refused')
})

test.each(['169.254.169.254', '100.100.100.200', '0.0.0.0', 'fe80::1', 'fd00:ec2::254', '224.0.0.1'])(
  '%s is unreachable, whatever is allowed',
  async (host) => {
    const written = host.includes(':') ? `[${host}]` : host
    expect(await dial(host, { allow: [`${written}:${port}`, '0.0.0.0/0', '::/0'] })).toBe('settings network.refused')
  },
)

test.each([
  '168.63.129.16',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fd00:c1::a9fe:a9fe',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1:a9fe:a9:fe00::',
  '2002:a9fe:a9fe::',
  '::169.254.169.254',
  '::ffff:0:169.254.169.254',
  '2001:0:5db8:d70e:0:0:5601:5601',
  'fc00::5efe:a9fe:a9fe',
])('%s, a metadata service or an address that embeds one, is unreachable, whatever is allowed', async (host) => {
  expect(await dial(host, { allow: ['0.0.0.0/0', '::/0'] })).toBe('settings network.refused')
})

test('an IPv4 address behind an IPv6 gateway needs both to be allowed', async () => {
  const stopped = (host: string, allow: readonly string[]) =>
    openNetwork({ allow, deny: () => [] }).dial(host, 443, AbortSignal.abort(new Error('would be dialled')), 'http')
  await expect(stopped('64:ff9b::808:808', ['64:ff9b::/96'])).rejects.toThrow('would be dialled')
  await expect(stopped('64:ff9b::10.0.0.1', ['64:ff9b::/96'])).rejects.toThrow('may not connect')
  await expect(stopped('64:ff9b::10.0.0.1', ['64:ff9b::/96', '10.0.0.0/8'])).rejects.toThrow('would be dialled')
})

test('the server’s listener and the store are unreachable, whatever is allowed', async () => {
  expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'], deny: () => [{ host: 'localhost', port }] })).toBe(
    'settings network.refused',
  )
})

test.each(['0.0.0.0', '::'])(
  'the server’s listener at %s is blocked at every address of this machine',
  async (host) => {
    expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'], deny: () => [{ host, port }] })).toBe(
      'settings network.refused',
    )
    expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'], deny: () => [{ host, port: port + 1 }] })).toBe(
      'connected',
    )
  },
)

test.each(['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:FFFF:7F00:0001', '[::ffff:7f00:1]'])(
  'the store stays shut however its address is written: %s',
  async (host) => {
    const allow = ['127.0.0.0/8', '::/0']
    expect(await dial(host, { allow })).toBe('connected')
    expect(await dial(host, { allow, deny: () => [{ host: '127.0.0.1', port }] })).toBe('settings network.refused')
  },
)

test('a store on this machine is blocked at all its addresses', async () => {
  const allow = ['127.0.0.0/8']
  expect(await dial('127.0.0.1', { allow, deny: () => [{ host: '127.0.0.9', port }] })).toBe('settings network.refused')
})

test('a store with a socket file is blocked on this machine only', async () => {
  const deny = () => [{ host: '/var/run/postgresql', port }]
  expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'], deny })).toBe('settings network.refused')
  const network = openNetwork({ allow: [], deny })
  await expect(network.dial('8.8.8.8', port, AbortSignal.abort(new Error('would be dialled')), 'http')).rejects.toThrow(
    'would be dialled',
  )
})

test('if the store’s name cannot be resolved, its last addresses stay blocked', async () => {
  let isDown = false
  const lookUp = (name: string) =>
    isDown && name === 'store.example' ? Promise.reject(new Error('down')) : Promise.resolve(['127.0.0.1'])
  const network = openNetwork({ allow: ['127.0.0.0/8'], deny: () => [{ host: 'store.example', port }], lookUp })
  const reach = () => network.dial('shop.example', port, AbortSignal.timeout(5_000), 'http')
  await expect(reach()).rejects.toThrow('may not connect')
  isDown = true
  await expect(reach()).rejects.toThrow('may not connect')
  const fresh = openNetwork({ allow: ['127.0.0.0/8'], deny: () => [{ host: 'store.example', port }], lookUp })
  const failure: unknown = await fresh
    .dial('shop.example', port, AbortSignal.timeout(5_000), 'http')
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'network.unresolved' })
  expect(String(failure)).not.toContain('store.example')
})

test('DNS rebinding between check and connection has no effect', async () => {
  const answers = [['127.0.0.1'], ['169.254.169.254']]
  let asked = 0
  const lookUp = () => Promise.resolve(answers[asked++] ?? [])
  const network = openNetwork({ allow: [`shop.example:${port}`], deny: () => [], lookUp })
  const socket = await network.dial('shop.example', port, AbortSignal.timeout(5_000), 'http')
  expect([socket.remoteAddress, asked]).toEqual(['127.0.0.1', 1])
  socket.destroy()
  await expect(network.dial('shop.example', port, AbortSignal.timeout(5_000), 'http')).rejects.toMatchObject({
    code: 'network.refused',
  })
})

test('a name with one forbidden address is refused', async () => {
  for (const found of [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
  ])
    expect(await dial('shop.example', { allow: [`127.0.0.1:${port}`], lookUp: () => Promise.resolve(found) })).toBe(
      'settings network.refused',
    )
})

test('an unresponsive name server costs bounded time, and less if the caller aborts', async () => {
  const lookUp = () => new Promise<never>(() => undefined)
  expect(await dial('shop.example', { lookUp, lookUpMs: 50 })).toBe('passing network.unresolved')
  const network = openNetwork({ allow: [], deny: () => [], lookUp })
  await expect(network.dial('shop.example', 443, AbortSignal.timeout(50), 'http')).rejects.toThrow(
    /aborted due to timeout/,
  )
})

test.each([
  '/var/run/postgresql',
  'a.example,10.0.0.1',
  'user@10.0.0.1',
  'a b',
  'a.example#',
  'a\\b',
  '10.0.0.1\0.example',
  'a.example:80',
])('%j is no valid name and is not resolved', async (host) => {
  const lookUp = () => Promise.resolve(['127.0.0.1'])
  expect(await dial(host, { allow: ['127.0.0.0/8'], lookUp })).toBe('settings network.unknown_host')
})

test('an unknown name and an unresponsive server have different errors', async () => {
  expect(await dial('no-such-host.invalid')).toBe('settings network.unknown_host')
  expect(await dial('127.0.0.1', { allow: ['127.0.0.0/8'] }, 1)).toBe('passing network.unreachable')
})

test('an abort signal stops a connection attempt', async () => {
  const network = openNetwork({ allow: ['127.0.0.0/8'], deny: () => [] })
  await expect(network.dial('127.0.0.1', port, AbortSignal.abort(new Error('stopped')), 'http')).rejects.toThrow(
    'stopped',
  )
})

test('an invalid entry of the list prevents the start', () => {
  for (const entry of ['10.0.0.0/33', 'host', 'host:port', 'http://host:1', '10.0.0/8']) {
    expect(() => openNetwork({ allow: [entry], deny: () => [] })).toThrow(StartRefused)
  }
})
