import { expect, test } from 'vitest'
import { decodeRows } from '../../../encoding/copy-text.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { odataDescription } from '@tributary/testing/engine/described/hostile-odata.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { startHostileOData } from '../../../../../sims/src/hostile/odata/server.ts'
import type { Checkpoint, RowBatch } from '../../../ports/model.ts'
import { openDescribedApi } from '../connection.ts'
import { requireDescription } from '../description/parse.ts'
import { type FeedChanges, readFeed } from '../read/read-feed.ts'
import { parseSettings } from '../settings.ts'
import { openODataApi } from './api.ts'
import { readCatalogue } from './catalogue.ts'
import { streamOfSet } from './described-set.ts'

test('[SRC-5] a long feed is committed in parts: after a break it continues at the last part, and no change is missing', async () => {
  const clock = sharedClock()
  await using service = await startHostileOData({ clock, seed: 5, documents: 80, pageSize: 10, links: 'byKey' })
  const description = requireDescription(odataDescription({ paging: 'nextLink', changes: 'feed' }), 'odata')
  const settings = parseSettings(description, { 'hostile.token': service.token, 'hostile.address': service.url })
  const context = { network: openNetwork, clock, signal: new AbortController().signal }
  using described = openDescribedApi(description, settings, context)
  const api = openODataApi(description, described)
  const { tables } = await readCatalogue(api, [{ id: '', name: '' }], settings)
  const [table] = tables
  if (table === undefined) throw new Error('There are documents.')
  const stream = streamOfSet({ api, table, company: '' })
  const changes: FeedChanges = { kind: 'feed', token: '/delta', expired: [410] }
  const target = new Map<string, string>()
  let checkpoint: Checkpoint | null = null
  let parts = 0

  /** @param partsMax ends the read after so many parts */
  const read = async (partsMax: number): Promise<void> => {
    const request = { since: checkpoint, encoding: 'text', log: () => {} } as const
    let partsOfRead = 0
    for await (const batch of readFeed(stream, changes, request, { changesMax: 20 })) {
      apply(target, batch)
      if (batch.checkpoint === undefined) continue
      checkpoint = batch.checkpoint
      partsOfRead += 1
      parts += 1
      if (partsOfRead === partsMax) return
    }
  }
  await read(Infinity)
  service.trade(200)
  parts = 0
  await read(1)
  expect(JSON.stringify(checkpoint)).toContain('position')
  await read(Infinity)
  expect(parts).toBeGreaterThan(3)
  const [documents] = service.companies.values()
  expect([...target].toSorted()).toEqual(
    [...(documents ?? new Map()).values()].map(({ id, name }) => [String(id), String(name)]).toSorted(),
  )
})

function apply(target: Map<string, string>, { table, bytes, deletes }: RowBatch): void {
  if (table !== 'document') return
  for (const [id, name] of decodeRows(bytes))
    if (deletes === true) target.delete(String(id))
    else target.set(String(id), String(name))
}
