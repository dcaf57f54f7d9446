/** What a description of an OData service says beyond paging and changes. */
import { expect, test } from 'vitest'
import { connectHostileOData } from '@tributary/testing/engine/described/hostile-odata.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import type { OpenSource, Stream } from '../../../ports/source.ts'

const calm = { documents: 50, pageSize: 20, seed: 3, paging: 'nextLink' } as const

async function documentsOf(source: OpenSource): Promise<Stream> {
  const found = (await source.streams()).find(({ name }) => name === 'Documents')
  if (found === undefined) throw new Error('There are documents.')
  return found
}

test('[SRC-1] only described sets are read, or all sets of the metadata except those that the description leaves out', async () => {
  const namesWith = async (source: string): Promise<readonly string[]> => {
    await using there = await connectHostileOData({ ...calm, more: { source } })
    await using open = await there.open()
    return (await open.streams()).map(({ name }) => name)
  }
  expect(await namesWith('')).toEqual(['Documents'])
  expect(await namesWith('others: { read: always }\n')).toEqual(['Documents', 'Kinds'])
  expect(await namesWith('others: { read: always, except: [Kinds] }\n')).toEqual(['Documents'])
})

test('[SRC-4] columns, types and the key come from the metadata; files have no column, and lists within a row are a table', async () => {
  await using there = await connectHostileOData(calm)
  await using source = await there.open()
  const { table, children } = await documentsOf(source)
  expect(table.key).toEqual(['id'])
  expect(Object.fromEntries(table.columns.map(({ name, type }) => [name, type]))).toEqual({
    id: { kind: 'integer', bytes: 8 },
    name: { kind: 'text' },
    amount: { kind: 'decimal' },
    modified: { kind: 'instant', digits: 3 },
    is_deleted: { kind: 'boolean' },
  })
  expect(children).toMatchObject([{ name: 'document_lines', parentKey: ['id'], key: ['id', 'ordinal'] }])
})

test('[SRC-4] members that the metadata do not declare are named in the log, or kept in a JSON column where wished', async () => {
  for (const changes of [undefined, 'cursor', 'windows', 'feed'] as const) {
    const options = { ...calm, undeclared: true, ...(changes !== undefined && { changes }) }
    await using there = await connectHostileOData(options)
    expect(await there.run()).toMatchObject({ status: 'completed', fault: null })
    expect(there.logLines.filter((line) => line.includes('Colour. They are not moved'))).toHaveLength(1)
  }
  await using there = await connectHostileOData({ ...calm, undeclared: true, more: { set: 'rest: others' } })
  expect(await there.run()).toMatchObject({ status: 'completed', fault: null })
  expect(there.logLines.filter((line) => line.includes('Colour'))).toEqual([])
  expect(await there.query(`select distinct others::text from document`)).toEqual([
    { others: '{"Colour": {"red": 1}}' },
  ])
})

test('[SRC-5] a description whose cursor the metadata do not have fails the table with what to do, and loses no row', async () => {
  await using there = await connectHostileOData({
    ...calm,
    more: { set: 'changes: { kind: cursor, property: Changed }' },
  })
  const outcome = await there.run()
  expect(outcome.status).not.toBe('completed')
  expect(JSON.stringify(outcome)).toContain('finds changes by Changed, which its metadata do not declare as a moment')
})

test('[SRC-3] [SRC-5] a first read that was interrupted at a link that has expired begins again, and is complete', async () => {
  await using there = await connectHostileOData({ ...calm, changes: 'cursor' })
  there.clock.advance(3_600_000)
  await using source = await there.open()
  const stream = await documentsOf(source)
  let since: Checkpoint | null = null
  for await (const { checkpoint } of source.read(stream, { since: null, encoding: 'text', log() {} }))
    if (checkpoint !== undefined) {
      since = checkpoint
      break
    }
  expect(JSON.stringify(since)).toContain('skiptoken')
  there.api.forgetLinks()
  const lines: string[] = []
  let rows = 0
  for await (const batch of source.read(stream, { since, encoding: 'text', log: (line) => lines.push(line) }))
    if (batch.table === 'document') rows += batch.rows
  expect(rows).toBe(50)
  expect(lines).toEqual([expect.stringContaining('no longer knows where the last read was interrupted')])
})

test('[SRC-5] rows that a filter leaves out are not moved, whatever the changes are found by', async () => {
  for (const changes of [undefined, 'cursor', 'windows', 'feed'] as const) {
    await using there = await connectHostileOData({
      ...calm,
      ...(changes !== undefined && { changes }),
      more: { set: "filter: 'Id gt 10'" },
    })
    await using source = await there.open()
    const { rows } = await readAll(source, await documentsOf(source), null)
    expect(rows.get('document')).toHaveLength(40)
  }
})

test('[SRC-5] changes can be read from a given moment, and only rows that the next run reads anyway count as changed in a sample', async () => {
  await using there = await connectHostileOData({ ...calm, changes: 'cursor' })
  await using source = await there.open()
  const stream = await documentsOf(source)
  there.clock.advance(3_600_000)
  const { checkpoint } = await readAll(source, stream, null)
  there.clock.advance(3_600_000)
  there.api.trade(5)
  const request = { calls: 9, documents: 9, rows: 50, checkpoint, position: 0, log() {} }
  const sample = await source.sample?.(stream, request)
  if (sample === undefined || 'reason' in sample) throw new Error('There is a sample.')
  expect(sample.isComplete).toBe(true)
  expect(sample.changed?.size).toBeGreaterThan(0)
  expect(sample.changed?.size).toBeLessThan(10)
  const since = (await source.checkpointAt?.(stream, new Date(there.clock.now() - 60_000))) ?? null
  const changed = (await readAll(source, stream, since)).rows.get('document') ?? []
  expect(changed).toHaveLength(sample.changed?.size ?? 0)
})

test('[SRC-4] rows of another set are a child table with their declared key; a list that the metadata do not have fails the table', async () => {
  await using there = await connectHostileOData({ ...calm, expands: true })
  await using source = await there.open()
  const { children } = await documentsOf(source)
  expect(children).toContainEqual(expect.objectContaining({ name: 'document_parts', key: ['id', 'number'] }))
  await using other = await connectHostileOData({ ...calm, more: { set: 'expand: [Kind]' } })
  expect(JSON.stringify(await other.run())).toContain('Its metadata have no list Kind of other rows')
})

test('[SRC-5] every table says how its changed and deleted rows are found', async () => {
  const noteWith = async (set: string): Promise<string> => {
    await using there = await connectHostileOData({ ...calm, more: { set } })
    await using source = await there.open()
    const { readingNote, wholeReason } = await documentsOf(source)
    return readingNote ?? wholeReason ?? ''
  }
  const status = 'deletes: { kind: status, property: IsDeleted, equals: [true] }'
  expect(await noteWith('select: true')).toBe('Hostile service does not report which of these rows have changed.')
  expect(await noteWith(`changes: { kind: cursor, property: Modified }, ${status}`)).toBe(
    'Changes: rows whose Modified is not older than 300 seconds before the last read. Deletions: Hostile service marks them.',
  )
  expect(await noteWith('changes: { kind: windows, property: Modified, againDays: 7 }')).toBe(
    'Changes: every run reads the rows again whose Modified is in the last 7 days. Deletions: all keys are compared once a day.',
  )
  expect(await noteWith('changes: { kind: feed }')).toBe(
    'Changes: Hostile service reports them. Deletions: Hostile service reports them, and all keys are compared once a day.',
  )
})

test('[SRC-1] without companies, rows of another address or account replace those in the target', async () => {
  for (const [more, origin] of [
    [{}, null],
    [{ source: 'origin: [{ path: Kinds, at: /value/1/Code }]\n' }, 'B'],
  ] as const) {
    await using there = await connectHostileOData({ ...calm, more })
    await using source = await there.open()
    await source.streams()
    expect(source.origin).toBe(origin ?? there.api.url)
  }
  await using there = await connectHostileOData({ ...calm, companies: [3] })
  await using source = await there.open()
  await source.streams()
  expect(source.origin).toBeUndefined()
})
