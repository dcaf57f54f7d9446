import type { ConnectorUsage } from '@tributary/contract/usage'
import { expect, test } from 'vitest'
import { describeMonth, describeRules, describeToday } from './calls-wording.ts'

const rules = { Wait: true, ThinOut: false, RefuseManual: false }
const usage = (changes: Partial<ConnectorUsage> = {}): ConnectorUsage => ({
  Limit: { Calls: 5_000, Per: 'day' },
  Days: [],
  Streams: [],
  Month: { Used: 1_080, Forecast: 2_190, Allowed: 150_000, Busiest: { Day: '2026-11-16', Calls: 100 } },
  Today: { Calls: 4_200, EndsAtUtc: '2026-11-29T00:00:00.000Z', State: 'near', Connectors: [] },
  Rules: rules,
  ...changes,
})

test('[SRC-6] today’s calls are said against the allowance, with what is left', () => {
  expect(describeToday(usage())).toMatch(/^Today: 4,200 calls of the 5,000 that the source allows .*, 800 left until /u)
  expect(describeToday(usage({ Limit: { Calls: 60, Per: 'minute' } }))).toContain('allows 60 a minute')
  expect(describeToday(usage({ Limit: null }))).toContain('sets no limit for a day')
})

test('[SRC-6] each rule of the provider says what it means, a run that waits until when', () => {
  expect(describeRules(usage())).toMatch(/^Runs continue\. From 95 % on they wait until /u)
  expect(describeRules(usage({ Rules: { ...rules, ThinOut: true, RefuseManual: true } }))).toBe(
    'The schedule starts a run at most once an hour; no one can start a run by hand.',
  )
  const used = { ...usage().Today, State: 'used' } as const
  expect(describeRules(usage({ Today: used }))).toMatch(/^Runs wait until /u)
  expect(describeRules(usage({ Today: used, Rules: { ...rules, Wait: false } }))).toContain('has switched waiting off')
})

test('[SRC-6] the month is forecast with its basis, or says what is missing', () => {
  expect(describeMonth(usage())).toContain('About 2,190 of the 150,000 that the source allows are expected')
  expect(describeMonth(usage({ Month: { Used: 5, Forecast: null, Allowed: null, Busiest: null } }))).toContain(
    'once seven whole days are counted',
  )
})
