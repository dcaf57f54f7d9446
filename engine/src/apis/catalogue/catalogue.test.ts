import { expect, test } from 'vitest'
import { testDescribedTables } from '@tributary/testing/conformance/source/dictionary-suite.ts'
import { simulateEconomic } from '@tributary/testing/engine/described/economic-connector.ts'
import { simulateExact } from '@tributary/testing/engine/described/simulated-exact.ts'
import { simulateQuickBooks } from '@tributary/testing/engine/described/quickbooks-connector.ts'
import { simulateStripe } from '@tributary/testing/engine/described/stripe-connector.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'

testSource('Stripe, simulated', async () => {
  const simulation = await simulateStripe()
  const { sim, clock } = simulation
  const refused = 'rk_test_NotTheRightKey0000'
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, { 'stripe.key': refused }),
    async change() {
      clock.advance(3_600_000)
      const [charge] = sim.account.all('charges')
      if (charge !== undefined) sim.account.change(charge, { description: 'Changed' }, 'charge.updated')
      return ['charge']
    },
    rows: {
      charge: sim.account.all('charges').length,
      customer: sim.account.all('customers').length,
      balance_transaction: sim.account.all('balance_transactions').length,
    },
    secrets: [sim.key, refused],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

testSource('Exact Online, simulated', async () => {
  const simulation = await simulateExact()
  const books = simulation.sim.books.get(103)
  const refused = 'access-that-is-not-right'
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, refused),
    rows: {
      gl_account: books?.glAccounts.length ?? 0,
      account: books?.accounts.length ?? 0,
      transaction_line: books?.transactionLines.length ?? 0,
      journal: books?.journals.length ?? 0,
    },
    secrets: [refused],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

testSource('e-conomic, simulated', async () => {
  const simulation = await simulateEconomic()
  const { agreement, appSecret, agreementGrant } = simulation.sim
  const refused = 'NotTheRightToken1'
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, { 'e-conomic.agreementGrant': refused }),
    rows: {
      entry: agreement.entries.length,
      booked_invoice: agreement.invoices.length,
      customer: agreement.customers.length,
    },
    secrets: [appSecret, agreementGrant, refused],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

testSource('QuickBooks Online, simulated', async () => {
  const { sim, company, clock, ...simulation } = await simulateQuickBooks()
  const refused = 'eyJ-that-is-not-right'
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, refused),
    async change() {
      clock.advance(3_600_000)
      const [invoice] = company.all('Invoice')
      if (invoice !== undefined) company.change('Invoice', invoice.Id, { PrivateNote: 'Changed' })
      return ['invoice']
    },
    rows: {
      account: company.all('Account').length,
      customer: company.all('Customer').length,
      invoice: company.all('Invoice').length,
      journal_entry: company.all('JournalEntry').length,
    },
    secrets: [refused, sim.clientSecret],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})

testDescribedTables('e-conomic', async () => {
  await using simulation = await simulateEconomic()
  await using source = await simulation.open()
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
})

testDescribedTables('QuickBooks Online', async () => {
  await using simulation = await simulateQuickBooks()
  await using source = await simulation.open()
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
})

testDescribedTables('Exact Online', async () => {
  await using simulation = await simulateExact()
  await using source = await simulation.open()
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
})

testDescribedTables('Stripe', async () => {
  await using simulation = await simulateStripe()
  await using source = await simulation.open()
  return (await source.streams()).flatMap(({ table, children }) => [table, ...children])
})

test('[SRC-5] every stream says how its changed and deleted rows are found', async () => {
  await using simulation = await simulateStripe()
  await using source = await simulation.open()
  for (const { name, readingNote, wholeReason } of await source.streams())
    expect([name, readingNote ?? wholeReason]).toEqual([name, expect.stringMatching(/Deletions|deleted/u)])
})
