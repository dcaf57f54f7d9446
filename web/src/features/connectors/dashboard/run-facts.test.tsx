import type { LatestRun } from '@tributary/contract/connectors'
import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, log, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { isSlow } from './slow-runs.ts'

afterEach(leave)

const minuteMs = 60_000
const agoMs = (ms: number) => new Date(Date.now() - ms).toISOString()
const latestRun = (changes: Partial<LatestRun> = {}): LatestRun => ({
  RowsWritten: 1_204,
  RowsDeleted: 0,
  StartedAtUtc: agoMs(3 * minuteMs),
  DurationMs: 65_000,
  UsualDurationMs: 50_000,
  ...changes,
})

/** The facts on the card of a connector, by label. */
async function factsOf(changes: Parameters<typeof connector>[0]) {
  signedInAs()
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /roles': () => [],
    'GET /users': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [connector(changes)],
  })
  renderApp('/connectors/postgres/refresh')
  const card = within(await screen.findByRole('article', { name: 'Web shop' }))
  const definitions = card.getAllByRole('definition').map(({ textContent }) => textContent)
  return card.getAllByRole('term').map(({ textContent }, index) => [textContent, definitions[index]])
}

test('[UX-CARDS-1] [UX-CARDS-2] a card shows the rows of the latest run, its duration against the usual, and how fresh the rows are', async () => {
  const facts = await factsOf({
    Log: log({ CompletedAtUtc: agoMs(2 * minuteMs) }),
    LatestRun: latestRun({ RowsDeleted: 3 }),
    FreshAtUtc: agoMs(3 * minuteMs + 1_000),
  })
  expect(facts).toEqual([
    ['Rows written', '1,2043 deleted'],
    ['Took', '1 min 5 susually 50 s'],
    ['Fresh as of', '3 minutes ago'],
  ])
})

test('[UX-CARDS-1] a slow run is named slow, and a run in progress shows the time so far', async () => {
  const slow = await factsOf({ LatestRun: latestRun({ DurationMs: 10 * minuteMs }) })
  expect(slow[1]).toEqual(['Took', '10 min 0 sslow, usually 50 s'])
  leave()
  const running = await factsOf({ LatestRun: latestRun({ DurationMs: null }) })
  expect(running[1]?.[0]).toBe('Elapsed')
  expect(running[1]?.[1]).toMatch(/^3 min \d+ susually 50 s$/u)
})

test('[UX-CARDS-2] a card says since when the rows are late, and that there are none yet', async () => {
  const late = await factsOf({ FreshAtUtc: agoMs(26 * 60 * minuteMs), LateSinceUtc: '2026-11-20T06:00:00.000Z' })
  expect(late[2]?.[1]).toMatch(/^1 day agodue \w{3},? \d\d:\d\d$/u)
  leave()
  expect(await factsOf({})).toEqual([
    ['Rows written', '–'],
    ['Took', '–'],
    ['Fresh as of', 'No rows yet'],
  ])
})

test('[UX-CARDS-1] a run is slow if it takes at least twice as long as usual and half a minute more', () => {
  const of = (DurationMs: number | null, UsualDurationMs: number | null) =>
    isSlow(latestRun({ DurationMs, UsualDurationMs }))
  expect([of(4_000, 1_000), of(31_000, 1_000), of(90_000, 50_000), of(100_000, 50_000)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect([of(null, 1_000), of(100_000, null)]).toEqual([false, false])
})
