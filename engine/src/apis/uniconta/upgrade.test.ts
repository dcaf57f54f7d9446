import { expect, test } from 'vitest'
import { simulateUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { rowsOf } from '../../../../sims/src/uniconta/company.ts'

test('[SRC-1] a checkpoint that the source written by hand has left is continued: only the last weeks and new journals are read', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  await using source = await simulation.open()
  const stream = (await source.streams()).find(({ name }) => name === 'GLTransClient')
  if (stream === undefined) throw new Error('There are postings.')
  const [company] = simulation.sim.companies
  const entries = company === undefined ? [] : rowsOf(company, 'GLTransClient')
  const journal = Math.max(...entries.map(({ JournalPostedId }) => Number(JournalPostedId)))
  const before = { companies: `[["4415",{"from":null,"until":"2026-03-02","journal":${journal}}]]` }
  const all = (await readAll(source, stream, null)).rows.get('gl_trans') ?? []
  const asked = simulation.sim.requests.length
  const { rows, checkpoint } = await readAll(source, stream, before)
  const recent = rows.get('gl_trans') ?? []
  expect(recent.length).toBeGreaterThan(0)
  expect(recent.length).toBeLessThan(all.length)
  const filters = simulation.sim.requests.slice(asked).map(({ target }) => target)
  expect(filters).toContainEqual(
    `4415/GLTransClient?$filter=JournalPostedId gt ${journal - 20} and Date lt datetime'2025-12-30T00:00:00'`,
  )
  expect(checkpoint).toEqual(before)
})

test('[SRC-1] an interrupted first read of the source written by hand continues at its day', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  await using source = await simulation.open()
  const stream = (await source.streams()).find(({ name }) => name === 'DebtorInvoiceClient')
  if (stream === undefined) throw new Error('There are invoices.')
  const before = { companies: '[["4415",{"from":"2025-11-01","until":"2026-03-02","journal":7}]]' }
  const { rows, checkpoint } = await readAll(source, stream, before)
  const at = stream.table.columns.findIndex(({ name }) => name === 'date')
  const days = (rows.get('debtor_invoice') ?? []).map((row) => row[at] ?? '')
  expect(days.length).toBeGreaterThan(0)
  expect(days.every((day) => day >= '2025-11-01')).toBe(true)
  expect(checkpoint).toEqual({ companies: '[["4415",{"from":null,"until":"2026-03-02","journal":7}]]' })
})
