/** Where Cin7 Core's API reference says two things of one field or path: either is understood. */
import { expect, test } from 'vitest'
import { changing } from '@tributary/sims/cin7/injected-faults'
import { decodeRows } from '../../encoding/copy-text.ts'
import { simulated, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

type Node = Readonly<Record<string, unknown>>

/** One stream's rows, by table and column. */
async function readStream(
  there: Awaited<ReturnType<typeof simulated>>,
  name: string,
): Promise<ReadonlyMap<string, readonly Node[]>> {
  await using source = await there.open()
  const stream = await streamOf(source, name)
  const tables = new Map([stream.table, ...stream.children].map((table) => [table.name, { table, rows: [] as Node[] }]))
  for await (const batch of source.read(stream, { since: null, encoding: 'text', log: () => {} })) {
    const at = tables.get(batch.table)
    const columns = at?.table.columns.map((column) => column.name) ?? []
    for (const row of decodeRows(batch.bytes))
      at?.rows.push(Object.fromEntries(columns.map((column, index) => [column, row[index]])))
  }
  return new Map([...tables].map(([table, { rows }]) => [table, rows]))
}

const notFound = { status: 200, body: '<html>Page not found</html>' }
const refused = { status: 403, body: 'Forbidden' }

test.each([
  ['a page about a wrong path', notFound],
  ['a refusal', refused],
  ['405', { status: 405, body: '' }],
])(
  '[ENG-1] where the path of workflows answers %s, the path of tasks is asked, which the reference gives for them too',
  async (_, reply) => {
    await using there = await simulated()
    there.sim.mishaps.order({ kind: 'reply', path: 'crm/workflow', times: 9, reply })
    await using source = await there.open()
    expect((await source.streams()).map(({ name }) => name)).not.toContain('crmWorkflow')

    const workflow = {
      ID: '66364c4f-0480-4db0-8848-d224fffd543a',
      Name: 'my task workflow',
      EntityType: 'Sale',
      DueDaysType: 'COMPLETED_DATE',
      IsActive: true,
    }
    const step = {
      ID: '80f8ab78-efd6-486d-8d50-20d7edb5b7ac',
      Name: 'Task 1',
      Category: null,
      Days: 0,
      StartTime: '03:00:00',
      EndTime: '06:00:00',
    }
    const body = JSON.stringify({ Page: 1, Total: 1, Workflows: [{ ...workflow, Steps: [step] }] })
    there.sim.mishaps.order({ kind: 'reply', path: 'crm/task', times: 9, reply: { status: 200, body } })
    const tables = await readStream(there, 'crmWorkflow')
    expect(tables.get('crm_workflow')).toEqual([
      expect.objectContaining({ id: workflow.ID, due_days_type: 'COMPLETED_DATE', is_active: 't' }),
    ])
    expect(tables.get('crm_workflow_step')).toEqual([
      expect.objectContaining({
        crm_workflow_id: workflow.ID,
        ordinal: '1',
        step_id: step.ID,
        name: 'Task 1',
        start_time: '03:00:00',
        days: '0',
      }),
    ])
  },
)

test('[ENG-1] whether a location is deprecated is understood under either of the names that the reference has for it', async () => {
  await using there = await simulated()
  const table = await readStream(there, 'location')
  const names = (table.get('location') ?? []).filter((row) => row['deprecated'] === 't').map((row) => row['name'])
  expect(names).toEqual(['B-01'])
  there.sim.mishaps.order({ kind: 'reshape', path: 'ref/location', reshape: renaming('IsDeprecated', 'Deprecated') })
  expect((await readStream(there, 'location')).get('location')).toEqual(table.get('location'))
})

test('[ENG-1] the page of a supplier on a product is understood under either name, too', async () => {
  await using there = await simulated()
  const rows = (await readStream(there, 'product')).get('product_supplier') ?? []
  expect(rows.map((row) => row['supplier_product_url']).filter((url) => url !== null)).toHaveLength(2)
  const rename = changing('Suppliers', (list) =>
    (list as readonly Node[]).map(({ URL, ...rest }) => ({ ...rest, SupplierProductURL: URL })),
  )
  there.sim.mishaps.order({ kind: 'reshape', path: 'product', reshape: rename })
  expect((await readStream(there, 'product')).get('product_supplier')).toEqual(rows)
})

/** A field under its other name wherever a location has it. */
function renaming(from: string, to: string): (body: unknown) => unknown {
  return changing('LocationList', (list) =>
    (list as readonly Node[]).map(({ [from]: value, ...rest }) => ({ ...rest, [to]: value })),
  )
}
