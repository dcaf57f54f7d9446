import { overview } from '@tributary/contract/overview'
import { overviewDays } from '@tributary/contract/limits'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import {
  completedRun,
  type ConnectorWithRuns,
  insertConnectorWithRuns,
  type NewRun,
} from '@tributary/testing/server/connectors/connector-with-runs.ts'
import { listRecentDays } from '../../kernel/zoned-time.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
/** The organisation of the test, its connectors and its clients. */
let organisationId: string
let admin: TestClient
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
})
afterAll(() => app[Symbol.asyncDispose]())

let organisations = 0
beforeEach(async () => {
  const { body } = await app.as.provideradmin.call(users.createOrganisation, {
    body: { companyName: `Overview ${++organisations}`, timeZone: 'Asia/Kolkata' },
  })
  organisationId = body.Id
  admin = (await addPerson(app, { [organisationId]: 'admin' })).client
})

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const ago = (ms: number) => new Date(app.clock.now() - ms)

const addConnector = (name: string, change: ConnectorWithRuns['change'], runs: readonly NewRun[] = []) =>
  insertConnectorWithRuns(app, organisationId, { name, ...(change && { change }), runs })
const completed = (before: number, change: NewRun = {}) => completedRun(app, before, change)
const failed = (before: number, faultKind: NewRun['faultKind'] = 'passing') =>
  completed(before, { status: 'FAILED', faultKind })
const running = (before: number): NewRun => ({ status: 'RUNNING', queuedAt: ago(before), startedAt: ago(before) })

/** A daily schedule on the organisation’s clock that last fired this long ago. */
function firedAgo(ms: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kolkata',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(ago(ms))
  const [hour = '', minute = ''] = parts.split(':')
  return `${Number(minute)} ${Number(hour)} * * *`
}

async function read(query: { readonly timeZone?: string } = {}) {
  const { status, body } = await admin.call(overview.read, { params: { clientId: organisationId }, query })
  expect(status).toBe(200)
  return body
}

describe('the state of a connector', () => {
  test('[UX-HOME-10] is the worst of its problems, and those that need help first come first', async () => {
    const never = firedAgo(-2 * hourMs)
    await addConnector('Fresh', { schedule: firedAgo(2 * hourMs) }, [completed(90 * minuteMs)])
    await addConnector('By hand', { schedule: null }, [completed(30 * dayMs)])
    await addConnector('Late', { schedule: firedAgo(2 * hourMs) }, [completed(3 * hourMs)])
    await addConnector('New', { schedule: null })
    await addConnector('Running', { schedule: null }, [running(5 * minuteMs)])
    await addConnector('Stalled', { schedule: null }, [running(40 * minuteMs)])
    await addConnector('Failed', { schedule: never }, [completed(2 * dayMs), failed(hourMs)])
    await addConnector('Refused', { schedule: null }, [failed(hourMs, 'signIn')])
    await addConnector('Target away', { schedule: null, targetDownSince: ago(hourMs) }, [completed(2 * hourMs)])
    await addConnector('Off', { schedule: null, status: 'DISCONNECTED' }, [failed(hourMs)])
    await addConnector('Deleted', { schedule: null, status: 'DELETED' }, [completed(hourMs)])
    const undecided = await addConnector('Undecided', { schedule: null }, [completed(hourMs)])
    const differing = await addConnector('Differing', { schedule: null }, [completed(hourMs)])
    await app.store.within(organisationId, async (db) => {
      const change = { stream: 'orders', tableName: 'orders', after: 'text', status: 'PENDING' } as const
      await db
        .insertInto('schemaChange')
        .values({ organisationId, connectorId: undecided, ...change })
        .execute()
      const tieOut = { state: 'red', company: 'C', basis: 'journals', accounts: 2, differing: 1 } as const
      await db
        .insertInto('tieOut')
        .values({ organisationId, connectorId: differing, runId: crypto.randomUUID(), ...tieOut })
        .execute()
    })
    const { Connectors } = await read()
    expect(Connectors.map(({ Name, State }) => [State, Name])).toEqual([
      ['forbidden', 'Refused'],
      ['targetDown', 'Target away'],
      ['failed', 'Failed'],
      ['tieOut', 'Differing'],
      ['changes', 'Undecided'],
      ['stalled', 'Stalled'],
      ['late', 'Late'],
      ['running', 'Running'],
      ['never', 'New'],
      ['fresh', 'By hand'],
      ['fresh', 'Fresh'],
      ['disconnected', 'Off'],
    ])
  })

  test('[UX-HOME-10] is late half an hour after the scheduled time, until a run of all tables has begun since and completed', async () => {
    const stateWith = async (firedMs: number, runs: readonly NewRun[]) => {
      const id = await addConnector(`Late ${crypto.randomUUID()}`, { schedule: firedAgo(firedMs) }, runs)
      const { Connectors } = await read()
      const { State, LateSinceUtc } = Connectors.find((one) => one.Id === id) ?? {}
      return [State, LateSinceUtc === null ? null : ago(firedMs).getTime() - Date.parse(LateSinceUtc ?? '') < minuteMs]
    }
    const yesterday = completed(dayMs)
    expect(await stateWith(29 * minuteMs, [yesterday])).toEqual(['fresh', null])
    expect(await stateWith(31 * minuteMs, [yesterday])).toEqual(['late', true])
    expect(await stateWith(31 * minuteMs, [yesterday, completed(10 * minuteMs)])).toEqual(['fresh', null])
    expect(await stateWith(31 * minuteMs, [yesterday, completed(10 * minuteMs, { onlyStreams: ['orders'] })])).toEqual([
      'late',
      true,
    ])
    // A failure is worse, but the rows are late nevertheless.
    expect(await stateWith(31 * minuteMs, [yesterday, failed(10 * minuteMs)])).toEqual(['failed', true])
  })

  test('[UX-HOME-10] comes with freshness, the last and the next run, and the rows of today', async () => {
    const nextRunAt = ago(-hourMs)
    const good = completed(2 * dayMs, { rowsWritten: 500 })
    await addConnector('Shop', { schedule: '0 6 * * *', nextRunAt }, [
      good,
      completed(2 * minuteMs, { rowsWritten: 40, onlyStreams: ['orders'] }),
      { ...running(minuteMs), rowsWritten: 2 },
    ])
    const {
      Connectors: [shop],
    } = await read()
    expect(shop).toMatchObject({
      Schedule: '0 6 * * *',
      FreshAtUtc: (good.startedAt as Date).toISOString(),
      NextRunAtUtc: nextRunAt.toISOString(),
      LastRun: { Status: 'RUNNING', QueuedAtUtc: ago(minuteMs).toISOString(), CompletedAtUtc: null },
      PendingChanges: 0,
      TieOut: null,
      SharedBy: null,
    })
    // Right after midnight there, the first of the two is yesterday’s.
    expect([42, 2]).toContain(shop?.RowsToday)
  })
})

test('[UX-HOME-11] the last 30 days are those of the organisation’s clock, with how each day’s runs ended', async () => {
  const aDay = (days: number) => days * dayMs
  await addConnector('Shop', { schedule: null }, [
    completed(aDay(29)),
    completed(aDay(2)),
    failed(aDay(2)),
    failed(aDay(1)),
    completed(aDay(4), { status: 'CANCELLED' }),
    completed(aDay(40)),
    completed(0),
  ])
  await addConnector('Never', { schedule: null })
  const { Connectors } = await read()
  const daysOf = (name: string) => Connectors.find(({ Name }) => Name === name)?.Days
  expect(new Set(daysOf('Never'))).toEqual(new Set(['none']))
  const days = daysOf('Shop') ?? []
  expect(days).toHaveLength(overviewDays)
  expect(days.flatMap((outcome, index) => (outcome === 'none' ? [] : [[index, outcome]]))).toEqual([
    [0, 'completed'],
    [27, 'partly'],
    [28, 'failed'],
    [29, 'completed'],
  ])
})

test('[UX-PREF-8] days and the rows of today are those of the caller’s time zone, which need not be the organisation’s', async () => {
  const timeZone = 'Pacific/Auckland'
  const midnight = listRecentDays(timeZone, new Date(app.clock.now()), 1)[0]?.beganAt.getTime() ?? 0
  const sinceMidnight = app.clock.now() - midnight
  await addConnector('Shop', { schedule: null }, [
    completed(sinceMidnight + minuteMs, { status: 'FAILED', rowsWritten: 3 }),
    completed(sinceMidnight, { rowsWritten: 5 }),
  ])
  const shopIn = async (query: { readonly timeZone?: string }) => (await read(query)).Connectors[0]
  const there = await shopIn({ timeZone })
  expect([there?.RowsToday, there?.Days.slice(-2)]).toEqual([5, ['failed', 'completed']])
  // Midnight in Auckland is an afternoon in India.
  for (const query of [{}, { timeZone: 'Asia/Kolkata' }, { timeZone: 'Mars/Olympus_Mons' }, { timeZone: '+12:00' }])
    expect((await shopIn(query))?.Days.filter((day) => day !== 'none')).toEqual(['partly'])
})

describe('incidents', () => {
  test('[UX-HOME-12] open ones are listed with who must act: those that need a person first, then the oldest', async () => {
    const connectorId = await addConnector('Shop', { schedule: null })
    const deleted = await addConnector('Gone', { schedule: null, status: 'DELETED' })
    const open = (kind: string, hours: number, change: { connectorId?: string; closedAt?: Date } = {}) => ({
      organisationId,
      connectorId,
      kind,
      notice: `It is ${kind}.`,
      openedAt: ago(hours * hourMs),
      ...change,
    })
    const insert = (incident: ReturnType<typeof open>) =>
      app.store.within(organisationId, (db) => db.insertInto('incident').values(incident).execute())
    await insert(open('signIn', 9, { closedAt: ago(hourMs) }))
    await insert(open('passing', 8))
    await insert(open('tieOut', 2))
    await insert(open('data', 5, { connectorId: deleted }))
    const other = await addConnector('Other', { schedule: null })
    await insert(open('settings', 1, { connectorId: other }))
    const third = await addConnector('Third', { schedule: null })
    await insert(open('bug', 7, { connectorId: third }))
    const { Incidents } = await read()
    expect(Incidents.map(({ Kind, Who }) => [Kind, Who])).toEqual([
      ['tieOut', 'administrator'],
      ['settings', 'administrator'],
      ['bug', 'provider'],
      ['passing', 'nobody'],
    ])
    expect(Incidents[0]).toMatchObject({ ConnectorId: connectorId, RunId: null, Notice: 'It is tieOut.' })
  })
})

test('[SCALE-3] the overview counts the promises that the connectors a person sees kept and missed in 30 days', async () => {
  const read = async (client: TestClient) =>
    (await client.call(overview.read, { params: { clientId: organisationId } })).body.Promises
  const connectorId = await addConnector('Promised', {})
  expect(await read(admin)).toBeNull()
  await app.store.across((db) =>
    db
      .insertInto('readyByOutcome')
      .values(
        [1, 2, 3, 40].map((days) => ({
          organisationId,
          connectorId,
          dueAt: new Date(Date.now() - days * dayMs).toISOString(),
          earliestAt: new Date(Date.now() - days * dayMs - hourMs).toISOString(),
          isKept: days !== 3,
          reason: days === 3 ? 'startedLate' : null,
        })),
      )
      .execute(),
  )
  expect(await read(admin)).toEqual({ Kept: 2, Missed: 1 })
  expect(await read((await addPerson(app, { [organisationId]: 'user' })).client)).toBeNull()
})
