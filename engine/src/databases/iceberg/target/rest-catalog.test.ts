import { expect, test } from 'vitest'
import { readTexts } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { finalDocuments, finalLines, LakeStory } from '@tributary/testing/engine/iceberg/lake-story.ts'
import { orders, SimulatedLake } from '@tributary/testing/engine/iceberg/simulated-lake.ts'
import type { Table } from '../../../ports/model.ts'
import { parseSettings } from '../settings/settings.ts'
import { openCatalog } from '../settings/open-catalog.ts'
import { tableName } from './facts.ts'
import { OpenLakeTarget } from './open-target.ts'

const { namespace } = orders

function open(lake: SimulatedLake): Promise<OpenLakeTarget> {
  const settings = parseSettings(lake.properties())
  const options = {
    namespace,
    unknownValues: 'reject',
    openCatalog: (around: typeof lake.context) => openCatalog(settings, around),
    check: async () => [],
  } as const
  return OpenLakeTarget.open(options, lake.context)
}

async function rowsOf(lake: SimulatedLake, { name, columns }: Table): Promise<unknown[]> {
  const catalog = await lake.catalog()
  const table = await catalog.loadTable({ namespace, name: tableName(name) })
  if (table === null) throw new Error(`There is no table of ${name}.`)
  const rows = await readTexts(
    table,
    columns.map((column) => column.name),
  )
  return rows.sort((left, right) => Number(left[0]) - Number(right[0]))
}

test.each([
  ['several tables at once', true],
  ['one table at a time', false],
] as const)(
  '[LAKE-2] runs through a REST catalog and object storage leave the rows of the source, with commits of %s',
  async (_, offersTransactions) => {
    await using lake = await SimulatedLake.start({ offersTransactions })
    for (const kind of ['merge', 'replace', 'merge'] as const) {
      const story = new LakeStory()
      {
        await using target = await open(lake)
        await story[kind](target, story.writer(1))
      }
      await using again = await open(lake)
      await story.merge(again, story.writer(2))
      expect(await rowsOf(lake, story.documents)).toEqual(finalDocuments)
      expect(await rowsOf(lake, story.lines)).toEqual(finalLines)
    }
    const joint = lake.simulator.requests.filter((request) => JSON.stringify(request).includes('transactions/commit'))
    expect(joint.length > 0).toBe(offersTransactions)
  },
)

test.each([
  ['the reply is lost', { kind: 'lose' }],
  ['the catalog fails before it commits', { kind: 'status', status: 502 }],
] as const)('[LAKE-2] a run through a REST catalog ends with the rows of the source although %s', async (_, fault) => {
  for (let after = 0; after < 12; after += 2) {
    await using lake = await SimulatedLake.start()
    const story = new LakeStory()
    lake.simulator.faults.inject({ ...fault, path: 'POST table', after })
    await using target = await open(lake)
    await story.merge(target, story.writer(1))
    expect(await rowsOf(lake, story.documents)).toEqual(finalDocuments)
    expect(await rowsOf(lake, story.lines)).toEqual(finalLines)
  }
})
