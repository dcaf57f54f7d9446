/** Fields and paths for which Cin7 Core's API reference has two spellings: both are read. */
import { expect, test } from 'vitest'
import { changingKey } from '@tributary/sims/cin7/injected-faults'
import { decodeRows } from '../../encoding/copy-text.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'

type LocationNode = Readonly<Record<string, unknown>>

/** One stream's rows, by table and column. */
async function readStream(
  simulation: Awaited<ReturnType<typeof simulateCin7>>,
  name: string,
): Promise<ReadonlyMap<string, readonly LocationNode[]>> {
  await using source = await simulation.open()
  const stream = await streamOf(source, name)
  const tables = new Map(
    [stream.table, ...stream.children].map((table) => [table.name, { table, rows: [] as LocationNode[] }]),
  )
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
])('[ENG-1] if the path of workflows answers with %s, workflows are read from the path of tasks', async (_, reply) => {
  await using simulation = await simulateCin7()
  simulation.sim.faults.inject({ kind: 'reply', path: 'crm/workflow', times: 9, reply })
  await using source = await simulation.open()
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
  simulation.sim.faults.inject({ kind: 'reply', path: 'crm/task', times: 9, reply: { status: 200, body } })
  const tables = await readStream(simulation, 'crmWorkflow')
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
})

test('[ENG-1] the deprecation flag of a location is read under both of its documented names', async () => {
  await using simulation = await simulateCin7()
  const table = await readStream(simulation, 'location')
  const names = (table.get('location') ?? []).filter((row) => row['deprecated'] === 't').map((row) => row['name'])
  expect(names).toEqual(['B-01'])
  simulation.sim.faults.inject({
    kind: 'reshape',
    path: 'ref/location',
    reshape: renaming('IsDeprecated', 'Deprecated'),
  })
  expect((await readStream(simulation, 'location')).get('location')).toEqual(table.get('location'))
})

test('[ENG-1] the supplier URL of a product is read under both names', async () => {
  await using simulation = await simulateCin7()
  const rows = (await readStream(simulation, 'product')).get('product_supplier') ?? []
  expect(rows.map((row) => row['supplier_product_url']).filter((url) => url !== null)).toHaveLength(2)
  const rename = changingKey('Suppliers', (list) =>
    (list as readonly LocationNode[]).map(({ URL, ...rest }) => ({ ...rest, SupplierProductURL: URL })),
  )
  simulation.sim.faults.inject({ kind: 'reshape', path: 'product', reshape: rename })
  expect((await readStream(simulation, 'product')).get('product_supplier')).toEqual(rows)
})

/** Renames a field of every location. */
function renaming(from: string, to: string): (body: unknown) => unknown {
  return changingKey('LocationList', (list) =>
    (list as readonly LocationNode[]).map(({ [from]: value, ...rest }) => ({ ...rest, [to]: value })),
  )
}
