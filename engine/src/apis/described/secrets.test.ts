import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { hostileDescription } from '@tributary/testing/engine/described/hostile-connector.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { parseDescription } from './description/parse.ts'
import { describedSource } from './source.ts'

test('[SRC-7] a link of a reply with the name of a setting in braces gets no value of the settings', async () => {
  const addresses: string[] = []
  const server = createServer((request, reply) => {
    addresses.push(request.url ?? '')
    const next = addresses.length === 1 ? '"documents?page={token}&other={unknown}"' : 'null'
    reply.setHeader('content-type', 'application/json').end(`{"data":[],"next":${next}}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const yaml = hostileDescription({ paging: 'nextLink', documents: 0, pageSize: 10, seed: 1 })
  const { description } = parseDescription(yaml)
  if (description === null) throw new Error('The description is not well-formed.')
  const source = describedSource(description)
  const settings = source.parse({
    'hostile.token': 'a-secret-token',
    'hostile.address': `http://127.0.0.1:${port}/v1/`,
  })
  const context = { network: openNetwork, clock: sharedClock(), signal: new AbortController().signal }
  await using open = await source.open(settings, context)
  const [stream] = await open.streams()
  if (stream === undefined) throw new Error('There is a stream.')
  for await (const batch of open.read(stream, { since: null, encoding: 'text', log() {} })) expect(batch.rows).toBe(0)
  await new Promise((resolve) => server.close(resolve))
  expect(addresses).toHaveLength(2)
  expect(addresses.join('\n')).not.toContain('a-secret-token')
})
