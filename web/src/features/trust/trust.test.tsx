import { screen, within } from '@testing-library/react'
import type { TrustSource } from '@tributary/contract/trust'
import { afterEach, describe, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import { sourceVerification } from '@tributary/testing/web/verification-samples.ts'
import { xero } from '@tributary/testing/web/xero-samples.ts'
import { summariseTrust } from './trust-words.ts'

afterEach(leave)

const proven: TrustSource = {
  ConnectorId: '00000000-0000-4000-8000-000000000801',
  Name: 'Kea Cafe',
  Type: 'xero',
  Verdict: 'proven',
  Notice: null,
  ComparedAtUtc: '2026-11-20T07:12:00.000Z',
  ProvenAtUtc: '2026-11-20T07:12:00.000Z',
  Differences: 0,
  FilteredTables: 0,
  Verification: sourceVerification({
    Verdict: 'proven',
    Tables: 3,
    Verified: 3,
    Rows: 50_271,
    CheckedAtUtc: '2026-11-20T07:12:00.000Z',
  }),
  State: 'fresh',
  FreshAtUtc: '2026-11-20T07:10:00.000Z',
  WatchesClosedPeriods: true,
  ClosedThrough: '2026-10-31',
  ClosedPeriodChanges: 0,
  ChangedPeriods: [],
  PublishedMomentUtc: null,
  PublicationStaysSinceUtc: null,
  PublicationHeldBecause: null,
  Marks: [],
}

function open(sources: readonly TrustSource[], more: PortalHandlers = {}): void {
  fakeServer({
    'GET /organisations': () => [harbour],
    'GET /tributary/clients/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/connector-types': () => [xero],
    'GET /tributary/clients/:clientId/trust': () => ({ Sources: [...sources] }),
    ...more,
  })
  signedInAs()
  renderApp('/trust')
}

describe('the sentence on top', () => {
  const changed = { ...proven, ChangedPeriods: ['2026-06-01'], ClosedPeriodChanges: 2 }
  const unwatched = { ...proven, WatchesClosedPeriods: false }
  const later = { ...proven, ProvenAtUtc: '2026-11-20T09:30:00.000Z' }
  const sampled = { ...later, Verdict: 'sampled' as const }
  const differs = { ...proven, Verdict: 'differs' as const, Differences: 3, ProvenAtUtc: null }
  const unproven = { ...unwatched, Verdict: 'unproven' as const, ProvenAtUtc: null }
  const mark = {
    Id: proven.ConnectorId,
    Name: 'June',
    PeriodEnd: '2026-06-30',
    CreatedAtUtc: '2026-07-10T08:00:00.000Z',
  }
  const quiet = 'no watched closed month has changes to acknowledge'
  test.each<[readonly TrustSource[], string]>([
    [
      [later, changed],
      'All 2 sources agree with their origin as of Fri 20 Nov, 07:12; one closed month has changed since it was closed.',
    ],
    [
      [{ ...changed, Marks: [mark] }],
      'The source agrees with its origin as of Fri 20 Nov, 07:12; one closed month has changed since it was reported.',
    ],
    [[proven], `The source agrees with its origin as of Fri 20 Nov, 07:12; ${quiet}.`],
    [
      [{ ...proven, FilteredTables: 2 }],
      `The source agrees with its origin as of Fri 20 Nov, 07:12; filters leave out rows of 2 tables; ${quiet}.`,
    ],
    [[sampled], `The source agrees with its origin as of Fri 20 Nov, 09:30, by sample; ${quiet}.`],
    [
      [sampled, proven],
      `All 2 sources agree with their origin as of Fri 20 Nov, 07:12, 1 of them by sample; ${quiet}.`,
    ],
    [
      [differs, unproven, later],
      `1 of 3 sources agrees with its origin as of Fri 20 Nov, 09:30, 1 differs, 1 is not verified completely yet; ${quiet}.`,
    ],
    [
      [{ ...unproven, Verdict: 'unknown' }],
      'The source could not be compared with its origin; closed months are not watched.',
    ],
    [[unproven], 'The source is not proven to agree with its origin yet; closed months are not watched.'],
    [
      [unproven, { ...unproven, Verdict: 'outdated' }, { ...unproven, Verdict: 'notProvable' }],
      'None of 3 sources is proven to agree with its origin, the proof of 1 is older than seven days, 1 is not verified completely yet, 1 is not provable; closed months are not watched.',
    ],
    [
      [proven, { ...later, State: 'failed' }],
      `All 2 sources agree with their origin as of Fri 20 Nov, 07:12; ${quiet}; the last run of 1 source failed, so newer rows are missing.`,
    ],
  ])('[TRUST-12] never says more than was proven %#', (sources, sentence) => {
    expect(summariseTrust(sources)).toBe(sentence)
  })
})

test('[TRUST-12] each source has its verdict, open differences, changes in closed months and marks', async () => {
  const mark = {
    Id: '00000000-0000-4000-8000-000000000802',
    Name: 'June 2026',
    PeriodEnd: '2026-06-30',
    CreatedAtUtc: '2026-07-10T08:00:00.000Z',
  }
  open([
    {
      ...proven,
      Name: 'Quay',
      Verdict: 'differs',
      Differences: 3,
      Verification: sourceVerification({ Tables: 4, Verified: 4, Differing: 1, Differences: 2 }),
      ClosedPeriodChanges: 2,
      ChangedPeriods: ['2026-06-01'],
    },
    { ...proven, ConnectorId: mark.Id, Marks: [mark] },
  ])
  const [quay, kea] = within(await screen.findByRole('list', { name: 'Sources' })).getAllByRole('listitem')
  expect(quay?.textContent).toContain('Differs')
  expect(quay?.textContent).toContain('3 figures differ')
  expect(quay?.textContent).toContain('2 rows differ')
  expect(quay?.textContent).toContain('3 figures, 2 rows')
  expect(quay?.textContent).toContain('2 changes to acknowledge')
  expect(kea?.textContent).toContain('Proven')
  expect(kea?.textContent).toContain('June 2026 (up to 30 Jun 2026)')
})

test('[TRUST-12] each line leads to the view that shows it', async () => {
  open([{ ...proven, Differences: 1, Verdict: 'differs', State: 'failed' }])
  const [card] = within(await screen.findByRole('list', { name: 'Sources' })).getAllByRole('listitem')
  const links = within(card ?? document.body)
    .getAllByRole('link')
    .map((link) => new URL(link.getAttribute('href') ?? '', 'http://portal').searchParams.get('view'))
  expect(links).toEqual([null, 'verification', 'tieOut', 'tieOut', null, 'closedPeriods'])
  expect(card?.textContent).toContain('(Failed)')
})

test('[TRUST-12] without a source the page says what it will show', async () => {
  open([])
  await screen.findByText('No source yet')
})
