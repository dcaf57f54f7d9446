import { expect, test } from 'vitest'
import { rowsOf } from '../../../../sims/src/uniconta/company.ts'
import { asFault } from '../../ports/faults.ts'
import { simulateUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'

test('tables, columns with their types, custom fields and keys follow the metadata', async () => {
  await using simulation = await simulateUniconta()
  await using source = await simulation.open()
  const streams = new Map((await source.streams()).map((stream) => [stream.name, stream]))
  const customers = streams.get('DebtorClient')
  expect(customers).toMatchObject({
    bundle: 'Base',
    reads: 'whole',
    table: { name: 'debtor', key: ['company_id', 'row_id', 'occurrence'] },
  })
  const types = Object.fromEntries(customers?.table.columns.map(({ name, type }) => [name, type]) ?? [])
  expect(types).toMatchObject({
    company_id: { kind: 'integer', bytes: 8 },
    row_id: { kind: 'integer', bytes: 8 },
    account: { kind: 'text', maxLength: 20 },
    country: { kind: 'text' },
    credit_max: { kind: 'decimal' },
    created: { kind: 'localTimestamp', digits: 7 },
    region: { kind: 'text', maxLength: 30 },
    loyalty_points: { kind: 'integer', bytes: 4 },
    sector: { kind: 'text', maxLength: 40 },
  })
  const entries = streams.get('GLTransClient')
  expect(entries).toMatchObject({
    bundle: 'Ledger',
    reads: 'since',
    table: { key: ['company_id', 'primary_key_id', 'occurrence'] },
  })
  expect(entries?.table.columns.find(({ name }) => name === 'date')?.type).toEqual({ kind: 'date' })
  expect(streams.get('InvItemStorageClient')?.table.key).toEqual([
    'company_id',
    'item',
    'variant1',
    'variant2',
    'warehouse',
    'location',
    'occurrence',
  ])
  expect(streams.get('InvItemClient')?.table.columns.map(({ name }) => name)).not.toContain('image')
  expect([...streams.keys()]).not.toContain('UserNotesClient')
})

test('digits beyond a double are kept, and an invalid date is empty', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  await using source = await simulation.open()
  const streams = await source.streams()
  const columnOf = async (set: string, wanted: string) => {
    const stream = streams.find(({ name }) => name === set)
    if (stream === undefined) throw new Error(`There is no stream ${set}.`)
    const at = stream.table.columns.findIndex(({ name }) => name === wanted)
    return (await readAll(source, stream, null)).rows.get(stream.table.name)?.map((row) => row[at]) ?? []
  }
  expect(await columnOf('DebtorClient', 'annual_target')).toContainEqual(
    expect.stringMatching(/^[1-9]2345678901234\.56789[1-9]$/),
  )
  expect(await columnOf('DebtorInvoiceClient', 'exchange_rate')).toContain('7.4601234567')
  const sent = await columnOf('DebtorInvoiceClient', 'send_time')
  expect(sent).toContain(null)
  expect(sent.filter((value) => value?.startsWith('0001'))).toEqual([])
})

test('tables can be chosen by Uniconta’s name or the table’s name; a star selects all', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  const names = async (tables: string) => {
    await using source = await simulation.open(undefined, { 'uniconta.tables': tables })
    return (await source.streams()).map(({ name }) => name)
  }
  expect(await names('gltransclient\ndebtor\nUserNotesClient')).toEqual([
    'GLTransClient',
    'DebtorClient',
    'UserNotesClient',
  ])
  expect(await names('*')).toHaveLength(26)
  const thrown = asFault(await names('Nonsense').catch((error: unknown) => error))
  expect(thrown).toMatchObject({ kind: 'settings', field: 'uniconta.tables' })
  expect(thrown.notice).toContain('‘Nonsense’')
})

test('a table without a key is read whole, and equal rows are kept', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  await using source = await simulation.open(undefined, { 'uniconta.tables': 'UserNotesClient' })
  const [notes] = await source.streams()
  if (notes === undefined) throw new Error('There are notes.')
  expect(notes).toMatchObject({ reads: 'whole', bundle: 'Other', table: { key: [] } })
  expect((await readAll(source, notes, null)).rows.get('user_notes')).toHaveLength(3)
})

test('companies are chosen by id or name, in the settings or in the user name', async () => {
  await using simulation = await simulateUniconta({ companies: 3 })
  const ids = async (more: Record<string, unknown>) => {
    await using source = await simulation.open(undefined, { 'uniconta.tables': 'CompanyClient', ...more })
    const [companies] = await source.streams()
    if (companies === undefined) throw new Error('There are companies.')
    return (await readAll(source, companies, null)).rows.get('company')?.map(([id]) => id)
  }
  expect(await ids({})).toEqual(['4415', '4416', '7002'])
  expect(await ids({ 'uniconta.companies': ['7002', 'nordlys handel aps'] })).toEqual(['4415', '7002'])
  expect(await ids({ 'uniconta.username': `004416/${simulation.sim.username}` })).toEqual(['4416'])
  const thrown = asFault(await ids({ 'uniconta.companies': '999' }).catch((error: unknown) => error))
  expect(thrown).toMatchObject({ kind: 'settings', field: 'uniconta.companies' })
})

test('a login that sees many companies must choose', async () => {
  const size = { customers: 1, vendors: 1, items: 1, invoices: 1, purchases: 1, orders: 1, days: 10 }
  await using simulation = await simulateUniconta({ companies: 26, size })
  await using source = await simulation.open()
  const thrown = asFault(await source.streams().catch((error: unknown) => error))
  expect(thrown).toMatchObject({ kind: 'settings', field: 'uniconta.companies' })
  expect(thrown.notice).toContain('26 companies')
})

test('unreadable tables are left out and reported; a chosen one is a fault with instructions', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  simulation.sim.forbidden.add('GLTransClient').add('InvItemClient')
  await using source = await simulation.open()
  const streams = await source.streams()
  expect(streams.map(({ name }) => name)).not.toContain('GLTransClient')
  const [first, second] = streams
  if (first === undefined || second === undefined) throw new Error('There are streams.')
  const notices: string[] = []
  for (const stream of [first, second])
    for await (const batch of source.read(stream, {
      since: null,
      encoding: 'text',
      log: (line) => notices.push(line),
    }))
      expect(batch.rows).toBeGreaterThan(0)
  expect(notices).toEqual([expect.stringContaining('GLTransClient in company 4415, InvItemClient in company 4415')])

  await using asked = await simulation.open(undefined, { 'uniconta.tables': 'GLTransClient' })
  const [entries] = await asked.streams()
  if (entries === undefined) throw new Error('It is offered.')
  const thrown = asFault(await readAll(asked, entries, null).catch((error: unknown) => error))
  expect(thrown).toMatchObject({ kind: 'settings', code: 'uniconta.no_access' })
})

test('a user who may read nothing is rejected as a whole', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  for (const set of simulation.sim.companies[0]?.sets.keys() ?? []) simulation.sim.forbidden.add(set)
  await using source = await simulation.open()
  expect(asFault(await source.streams().catch((error: unknown) => error))).toMatchObject({ kind: 'signIn' })
})

test('a field whose type differs between two companies becomes text', async () => {
  await using simulation = await simulateUniconta()
  const [, second] = simulation.sim.companies
  const customers = second?.sets.get('DebtorClientUser')
  customers?.properties.push({ name: 'LoyaltyPoints', type: 'String' })
  if (second !== undefined) for (const row of rowsOf(second, 'DebtorClient')) row['LoyaltyPoints'] = 'gold'
  await using source = await simulation.open(undefined, { 'uniconta.tables': 'DebtorClient' })
  const [stream] = await source.streams()
  if (stream === undefined) throw new Error('There are customers.')
  const at = stream.table.columns.findIndex(({ name }) => name === 'loyalty_points')
  expect(stream.table.columns[at]?.type).toEqual({ kind: 'text' })
  const values = (await readAll(source, stream, null)).rows.get('debtor')?.map((row) => row[at] ?? '') ?? []
  expect(values.filter((value) => value === 'gold')).toHaveLength(10)
  expect(values.filter((value) => /^\d+$/.test(value))).toHaveLength(20)
})
