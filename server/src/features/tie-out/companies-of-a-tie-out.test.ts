/** Tie-outs of several companies in one set of tables: what certificates, rooms, alerts and assistants show of each. */
import { createHash } from 'node:crypto'
import { alerts } from '@tributary/contract/alerts'
import { certificates } from '@tributary/contract/certificates'
import { runs } from '@tributary/contract/runs'
import { tieOut } from '@tributary/contract/tie-out'
import type { CompanyTieOut, TieOutResultLine } from '@tributary/engine/ports/tie-out'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addAuditor } from '@tributary/testing/server/identity/auditor.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { addProduct } from '@tributary/testing/server/connectors/add-product.ts'
import { watchConnectors } from '../alerts/open-and-close-incidents.ts'
import { claimRun } from '../runs/claiming/claim-run.ts'
import { finaliseRun } from '../runs/execution/finalise-run.ts'

let app: TestApp
let connectorId: string
let made = 0
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  connectorId = await addProduct(app, { companyName: `Group ${(made += 1)}`, users: [app.idOf('user')] })
})

const period = '2026-10-01'
const params = () => ({ clientId: app.harbour.id, connectorId })

const unread = 'It could not be read completely in this run, so it was not compared.'
const north = { id: 'n', name: 'North', state: 'green', notice: null, currency: 'NZD', compared: true } as const
const south = { id: 's', name: 'South', state: 'green', notice: null, currency: 'AUD', compared: true } as const
const missing = { ...south, state: 'amber', notice: unread, currency: null, compared: false } as const
const differing = { ...south, state: 'red', notice: 'Account 200 differs.' } as const

const line = (company: string, figures: Partial<TieOutResultLine> = {}): TieOutResultLine => ({
  company,
  period,
  accountId: '200',
  code: '200',
  name: 'Sales',
  computed: '1.00',
  reported: '1.00',
  difference: '0.00',
  state: 'green',
  notice: null,
  documents: [],
  ...figures,
})
const redLine = line('s', { computed: '5.00', reported: '7.50', difference: '-2.50', state: 'red' })

/** Ends a run with the tie-out of these companies. Returns the id of the run. */
async function end(companies: readonly CompanyTieOut[], lines: readonly TieOutResultLine[]): Promise<string> {
  const { RunId } = (await app.as.admin.call(runs.process, { params: params(), body: {} })).body
  const claim = await app.store.across((db) => claimRun(db, RunId, 'a worker of this test'))
  if (claim === undefined) throw new Error('The run could not be taken.')
  const notices = companies.flatMap(({ name, notice }) => (notice === null ? [] : [`‘${name}’: ${notice}`]))
  await finaliseRun(app.services, claim, {
    ending: { kind: 'completed', written: 0, deleted: 0 },
    streams: [],
    tieOut: {
      state: (['red', 'amber'] as const).find((state) => companies.some((each) => each.state === state)) ?? 'green',
      notice: notices.length === 0 ? null : notices.join(' '),
      company: companies.map(({ name }) => name).join(', '),
      currency: null,
      basis: 'documents',
      checkedAt: new Date(0),
      mended: [],
      fault: null,
      lines,
      companies,
    },
    withinMs: 0,
  })
  return RunId
}

const latest = async () => (await app.as.user.call(tieOut.latest, { params: params() })).body
async function certify(runId: string) {
  const { status, body } = await app.as.user.call(tieOut.certify, { params: params(), body: { runId, period } })
  expect(status).toBe(201)
  const read = await app.as.user.call(certificates.read, {
    params: { clientId: app.harbour.id, certificateId: body.Id },
  })
  const { Document, Hash } = read.body
  expect(createHash('sha256').update(Document).digest('hex')).toBe(Hash)
  return { ...body, facts: JSON.parse(Document) as Readonly<Record<string, unknown>> }
}

test('[SRC-12] a certificate has the company of each figure, and each company with its currency and its state', async () => {
  const runId = await end([north, differing], [line('n'), redLine])
  const { Title, Verdict, facts } = await certify(runId)
  expect([Title, Verdict]).toEqual([`Tie-out of Group ${made}, 2 companies, 2026-10`, 'red'])
  expect(facts).toMatchObject({
    company: 'North, South',
    currency: null,
    companies: [
      { id: 'n', name: 'North', currency: 'NZD', compared: true, state: 'green', notice: null },
      { id: 's', name: 'South', currency: 'AUD', compared: true, state: 'red', notice: 'Account 200 differs.' },
    ],
  })
  expect(facts['accounts']).toMatchObject([
    { company: 's', id: '200', difference: '-2.50' },
    { company: 'n', id: '200', difference: '0.00' },
  ])
})

test('[SRC-12] a month is not certified as equal while a company could not be compared', async () => {
  const runId = await end([north, missing], [line('n')])
  const { Verdict, facts } = await certify(runId)
  expect(Verdict).toBe('amber')
  expect(facts).toMatchObject({
    notice: `‘South’: ${unread}`,
    companies: [
      { name: 'North', state: 'green', compared: true },
      { name: 'South', state: 'amber', compared: false, notice: unread },
    ],
  })
  const equal = await certify(await end([north, south], [line('n'), line('s')]))
  expect([equal.Verdict, equal.facts['notice']]).toEqual(['green', null])
})

test('[SRC-12] differences of several currencies have no sum; those of one currency do', async () => {
  await end([north, differing], [line('n'), redLine])
  expect((await latest())?.Periods).toMatchObject([{ State: 'red', Accounts: 2, Differing: 1, Difference: null }])
  await end([north, { ...differing, currency: 'NZD' }], [line('n'), redLine])
  expect((await latest())?.Periods).toMatchObject([{ Difference: '2.50' }])
})

test('[SRC-12] an account of the same id in two companies has documents of each', async () => {
  const document = (number: string) => ({
    kind: 'Invoice',
    id: number,
    number,
    date: '2026-10-03',
    contact: null,
    amount: '5.00',
    wasQuiet: false,
    address: null,
  })
  await end(
    [{ ...north, state: 'red' }, differing],
    [
      line('n', { computed: '5.00', difference: '4.00', state: 'red', documents: [document('N-1')] }),
      { ...redLine, documents: [document('S-1')] },
    ],
  )
  for (const [company, number] of [
    ['n', 'N-1'],
    ['s', 'S-1'],
  ] as const) {
    const query = { period, accountId: '200', company }
    const { body } = await app.as.user.call(tieOut.documents, { params: params(), query })
    expect(body.map((each) => each.Number)).toEqual([number])
  }
})

test('[SRC-12] a room of some months shows what each company came to in those months, and nothing about others', async () => {
  const earlier = { period: '2026-09-01' }
  await end([north, differing], [line('n'), redLine, line('n', earlier), line('s', earlier)])
  const states = async (month: string) => {
    const { client } = await addAuditor(app, { connectorIds: [connectorId], periodFrom: month, periodTo: month })
    const { body } = await client.call(tieOut.latest, { params: params() })
    return body?.Companies.map(({ Name, State, Notice }) => [Name, State, Notice])
  }
  expect(await states('2026-09-01')).toEqual([
    ['North', 'green', null],
    ['South', 'green', null],
  ])
  expect(await states(period)).toEqual([
    ['North', 'green', null],
    ['South', 'red', null],
  ])
})

test('[SRC-12] the incident of a tie-out that differs names the company', async () => {
  await end([north, differing], [line('n'), redLine])
  await watchConnectors(app.services)
  const { body } = await app.as.admin.call(alerts.incidents, { params: params() })
  expect(body).toMatchObject([{ Kind: 'tieOut', Notice: '‘South’: Account 200 differs.' }])
})
