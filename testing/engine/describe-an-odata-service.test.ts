/** Parses the description in docs/extending/describe-an-odata-service.md, and runs it against a service that moves rows and fails. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { connectHostileOData } from './described/hostile-odata.ts'

test('[SRC-1] [SRC-5] [SRC-8] the description of the guide for services ends row for row equal to a hostile one, and explains its columns', async () => {
  const guide = readFileSync('docs/extending/describe-an-odata-service.md', 'utf8')
  const yaml = [...guide.matchAll(/```yaml\n([\s\S]*?)```/gu)].map(([, block]) => block ?? '').join('')
  await using there = await connectHostileOData(
    {
      paging: 'nextLink',
      seed: 12,
      documents: 120,
      pageSize: 25,
      companies: [1, 2],
      moves: 0.2,
      faults: 0.1,
      lateMs: 60_000,
    },
    yaml,
  )
  for (let run = 0; run < 3; run += 1) {
    await there.run()
    there.clock.advance(3_600_000)
    there.api.trade(20)
  }
  there.api.calm()
  there.clock.advance(86_400_000)
  expect(await there.run()).toMatchObject({ status: 'completed', fault: null })
  expect(await there.differences()).toEqual([])
  await using source = await there.open()
  const [documents] = await source.streams()
  expect(documents?.table).toMatchObject({ name: 'document', description: 'An order or invoice of a company.' })
  expect(documents?.table.columns.find(({ name }) => name === 'amount')?.description).toContain(
    'currency of its company',
  )
  expect(documents?.children.map(({ name, description }) => [name, description])).toEqual([
    ['document_lines', 'What one line of a document is about.'],
  ])
})
