import { screen, within } from '@testing-library/react'
import type { PublicationConnector, PublicationSet } from '@tributary/contract/publications'
import { afterEach, describe, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { connector, harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { describeRule, describeState, describeVerdicts } from './publication-words.ts'

afterEach(leave)

test('[LAKE-1] the page names the connectors that store tables only, and says why they cannot be published', async () => {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/:clientId/publication-sets': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [
      connector({ Name: 'Lake', StoresTablesOnly: true }),
      connector(),
    ],
  })
  signedInAs()
  renderApp('/data/publications')
  expect(await screen.findByText('Left out: Lake')).toBeDefined()
  expect(screen.getByText(/Iceberg tables without SQL, which cannot be published/)).toBeDefined()
})

const shop: PublicationConnector = {
  ConnectorId: '00000000-0000-4000-8000-000000000901',
  Name: 'Shop',
  Type: 'postgres',
  IsInSet: true,
  MomentUtc: '2026-11-20T07:10:00.000Z',
  RunId: '00000000-0000-4000-8000-000000000902',
  HeldBecause: null,
  HeldSinceUtc: null,
}
const stock: PublicationConnector = {
  ...shop,
  ConnectorId: '00000000-0000-4000-8000-000000000903',
  Name: 'Stock',
  HeldBecause: 'Its latest run failed. The source is away.',
  HeldSinceUtc: '2026-11-20T07:30:00.000Z',
}
const current: PublicationSet = {
  Id: '00000000-0000-4000-8000-000000000904',
  Target: 'Tributary’s own warehouse',
  Schema: 'published',
  State: 'current',
  Rule: { TieOut: 'green', VerifiedWithinDays: 7 },
  IncidentAfterHours: 24,
  Connectors: [shop],
  PublishedAtUtc: '2026-11-20T07:12:00.000Z',
  StaysSinceUtc: null,
  Notice: null,
}
const stays: PublicationSet = {
  ...current,
  State: 'stays',
  Connectors: [shop, stock],
  StaysSinceUtc: '2026-11-20T07:30:00.000Z',
}

function open(set: PublicationSet): void {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/publication-sets': () => [set],
  })
  signedInAs()
  renderApp('/data/publications')
}

describe('the sentence about the state', () => {
  test.each<[PublicationSet, string]>([
    [current, 'Published Fri 20 Nov, 07:12. The views show the latest run of each connector.'],
    [stays, 'Published Fri 20 Nov, 07:12. The views have stayed as they are since Fri 20 Nov, 07:30.'],
    [{ ...stays, State: 'waiting' }, 'There is no publication yet. It waits for Stock.'],
    [{ ...current, State: 'waiting', PublishedAtUtc: null }, 'There is no publication yet. It waits for Shop.'],
    [{ ...current, State: 'off' }, 'Reports read the tables as each run leaves them.'],
    [{ ...current, State: 'ending' }, 'Publishing is switched off, and the views are being removed.'],
  ])('[TRUST-12] %#', (set, words) => {
    expect(describeState(set)).toBe(words)
  })
})

test('[TRUST-12] the rule is one sentence, and the verdicts of a published run are, too', () => {
  expect(describeRule(current.Rule)).toBe(
    'The views move forward together once the latest run of each connector completed, the tie-out agrees and each table was verified identical within 7 days.',
  )
  expect(describeRule({ TieOut: 'any', VerifiedWithinDays: null })).toBe(
    'The views move forward together once the latest run of each connector completed.',
  )
  const run = { ConnectorId: shop.ConnectorId, Name: 'Shop', RunId: shop.RunId ?? '', MomentUtc: shop.MomentUtc ?? '' }
  expect(
    describeVerdicts({ ...run, TieOut: 'green', Tables: 12, VerifiedTables: 11, VerifiedSinceUtc: run.MomentUtc }),
  ).toBe('tie-out agrees, 11 of 12 tables verified identical since 20 Nov 2026, 07:10')
  expect(describeVerdicts({ ...run, TieOut: null, Tables: 1, VerifiedTables: 0, VerifiedSinceUtc: null })).toBe(
    'no tie-out, not verified',
  )
})

test('[TRUST-12] a publication that stays names each connector with its moment, and which one holds it back since when', async () => {
  open(stays)
  const panel = await screen.findByRole('region', { name: stays.Target })
  const rows = within(panel)
    .getAllByRole('row')
    .map(({ textContent }) => textContent)
  expect(rows[1]).toContain('Satisfies the rule')
  expect(rows[2]).toMatch(/Stock.*07:10.*Its latest run failed\. The source is away\. Since .*07:30\./u)
})
