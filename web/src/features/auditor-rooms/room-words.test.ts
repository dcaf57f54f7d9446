import { expect, test } from 'vitest'
import { describeExtent } from './room-words.ts'

const connector = { Id: '00000000-0000-4000-8000-000000000201', Name: 'Harbour Books', Type: 'xero' }
const mark = { Id: '00000000-0000-4000-8000-000000000801', Name: 'June 2026', Connector: connector }

test('[TRUST-14] the extent of a room is described: connectors with their months, and single marks', () => {
  const extent = { Connectors: [], Marks: [mark], PeriodFrom: null, PeriodTo: null }
  const words = 'what Harbour Books showed when ‘June 2026’ was reported'
  expect(describeExtent(extent)).toBe(words)
  expect(describeExtent({ ...extent, Connectors: [connector] })).toBe(`Harbour Books, all months; ${words}`)
})
