import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FaultReply } from '@tributary/contract/faults'
import { afterEach, expect, test } from 'vitest'
import { readConfig } from '../../kernel/config/config.ts'
import { trialPassword } from '../../trial/people.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

const breached = 'stolen-elsewhere-4'
const hash = createHash('sha1').update(breached).digest('hex').toUpperCase()
const line = `${hash.slice(5)}:17`
const others = [`${'0'.repeat(35)}:3`, `${'F'.repeat(35)}:1`]

const lists: Server[] = []
afterEach(() => {
  for (const list of lists.splice(0)) {
    list.closeAllConnections()
    list.close()
  }
})

/** Starts a fake list with this handler, and an app that queries it. @param omitted settings that the app lacks. */
async function openWith(answer: RequestListener, omitted: readonly string[] = []) {
  const requests: string[] = []
  const list = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${String(request.headers['add-padding'])}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  lists.push(list)
  await once(list, 'listening')
  const { port } = list.address() as AddressInfo
  const settings = {
    TRIBUTARY_BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range/`,
    TRIBUTARY_ALLOW_HOSTS: `127.0.0.1:${port}`,
    TRIBUTARY_METRICS_TOKEN: 'a-token-for-metrics-only',
  }
  const env = Object.fromEntries(Object.entries(settings).filter(([name]) => !omitted.includes(name)))
  const app = await testApp({ env })
  const change = async (password: string) => {
    const body = { currentPassword: trialPassword, password }
    const reply = await app.as.user.send<FaultReply | null>('POST', '/api/me/password', { body })
    return [reply.status, reply.body?.fields?.['password']]
  }
  return {
    app,
    requests,
    change,
    warnings: () =>
      app.logLines.filter((text) => text.includes('could not be checked against the list of breached passwords')),
    unchecked: async () =>
      /^tributary_passwords_unchecked_total\S* (\d+)/mu.exec(await app.services.metrics.text())?.[1] ?? '0',
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

test.each([
  ['in the usual format', [...others, line].join('\r\n')],
  ['in lower case with line feeds only', [line.toLowerCase(), ...others].join('\n')],
])('a breached password is refused, and only five characters of its hash are sent: %s', async (_, range) => {
  await using rig = await openWith((_request, response) => response.end(range))
  expect(await rig.change(breached)).toEqual([400, expect.stringContaining('breach')])
  expect(rig.requests).toEqual([`GET /range/${hash.slice(0, 5)} true`])
  expect(rig.warnings()).toEqual([])
})

test('a password that is not on the list, or only as padding of the reply, is accepted', async () => {
  await using rig = await openWith((_request, response) => response.end([...others, `${hash.slice(5)}:0`].join('\r\n')))
  expect(await rig.change(breached)).toEqual([204, undefined])
  expect(rig.requests).toHaveLength(1)
  expect([rig.warnings(), await rig.unchecked()]).toEqual([[], '0'])
})

test.each<readonly [string, RequestListener]>([
  ['refuses', (_request, response) => response.writeHead(503).end(line)],
  ['hangs up', (request) => request.socket.destroy()],
  ['never answers', () => undefined],
  ['redirects', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['never ends its reply', (_request, response) => void response.write('x'.repeat(2_000_000))],
])('a list that %s does not prevent a new password, and is logged and counted', async (_, answer) => {
  await using rig = await openWith(answer)
  expect(await rig.change(breached)).toEqual([204, undefined])
  expect(rig.warnings()).toHaveLength(1)
  expect(rig.warnings()[0]).not.toContain(breached)
  expect(await rig.unchecked()).toBe('1')
})

test('requests to the list pass the egress guard, and none are sent if no list is configured', async () => {
  await using guarded = await openWith((_request, response) => response.end(line), ['TRIBUTARY_ALLOW_HOSTS'])
  expect(await guarded.change(breached)).toEqual([204, undefined])
  expect([guarded.requests, guarded.warnings().length]).toEqual([[], 1])

  await using silent = await openWith((_request, response) => response.end(line), ['TRIBUTARY_BREACHED_PASSWORDS_URL'])
  expect(await silent.change(breached)).toEqual([204, undefined])
  expect([silent.requests, silent.warnings()]).toEqual([[], []])
})

test('an invalid URL of the list is refused at the start', () => {
  const { problems } = readConfig({ TRIBUTARY_BREACHED_PASSWORDS_URL: 'ranges' })
  expect(problems).toEqual([expect.stringContaining("TRIBUTARY_BREACHED_PASSWORDS_URL: 'ranges' is no address")])
})
