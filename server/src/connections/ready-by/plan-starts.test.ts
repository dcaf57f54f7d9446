import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulateMorning } from '@tributary/testing/server/ready-by/simulated-morning.ts'
import { planStarts } from './plan-starts.ts'
import { leastMarginMs, type PlannedStart, type PromisedRun, type StartLimits } from './planned-start.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dueAt = Date.UTC(2026, 10, 30, 7, 30)
const now = dueAt - 12 * hourMs

function run(changes: Partial<PromisedRun> = {}): PromisedRun {
  const id = 'connector'
  return {
    id,
    organisationId: id,
    dueAt,
    earliestAt: dueAt - 4 * hourMs,
    durationMs: 20 * minuteMs,
    calls: null,
    ...changes,
  }
}

function runs(count: number, changes: (at: number) => Partial<PromisedRun> = () => ({})): PromisedRun[] {
  return Array.from({ length: count }, (_, at) => run({ id: `c ${at}`, organisationId: `o ${at}`, ...changes(at) }))
}

function limits(changes: Partial<StartLimits> = {}): StartLimits {
  return { concurrentRuns: 100, runsOf: () => 2, sources: new Map(), ...changes }
}

function clock({ startAt }: PlannedStart): string {
  return new Date(startAt).toISOString().slice(11, 16)
}

test('[SCALE-3] a run starts twice its measured time before the promised time, and at least ten minutes and that time', () => {
  const [long, short] = [run(), run({ id: 'short', organisationId: 'short', durationMs: 30_000 })]
  const plan = planStarts({ promises: [long, short], limits: limits(), reserved: [], now })
  expect(plan.map(clock)).toEqual(['06:50', '07:19'])
  expect(plan.map(({ obstacle }) => obstacle)).toEqual([null, null])
})

test('[SCALE-3] runs that are promised for the same time spread over earlier starts when workers are few', () => {
  const plan = planStarts({ promises: runs(6), limits: limits({ concurrentRuns: 2 }), reserved: [], now })
  expect(plan.map(clock).toSorted()).toEqual(['06:10', '06:10', '06:30', '06:30', '06:50', '06:50'])
})

test('[SCALE-3] the starts of one minute spread over its seconds', () => {
  const plan = planStarts({ promises: runs(60), limits: limits(), reserved: [], now })
  expect(new Set(plan.map(clock))).toEqual(new Set(['06:50']))
  expect(new Set(plan.map(({ startAt }) => startAt)).size).toBeGreaterThan(40)
})

test('[SCALE-3] an organisation with many connectors takes no start from another one', () => {
  const many = runs(50, () => ({ organisationId: 'many' }))
  const other = run({ id: 'other', organisationId: 'other' })
  const plan = planStarts({ promises: [...many, other], limits: limits({ concurrentRuns: 4 }), reserved: [], now })
  expect(plan.at(-1)).toMatchObject({ obstacle: null })
  expect(plan.filter(({ obstacle }) => obstacle === 'organisationShare').length).toBeGreaterThan(0)
})

test('[SCALE-3] a plan of more promises keeps what was planned before', () => {
  const reserved = [
    { startAt: dueAt - 40 * minuteMs, endAt: dueAt - 20 * minuteMs, runs: 100, organisationId: null, calls: null },
  ]
  const [planned] = planStarts({ promises: [run()], limits: limits(), reserved, now })
  expect(planned).toMatchObject({ obstacle: null })
  expect(clock(planned ?? { id: '', startAt: 0, endAt: 0, obstacle: null })).toBe('06:30')
})

test.each([
  ['tooLong', run({ durationMs: 5 * hourMs }), {}],
  ['tooLong', run({ earliestAt: dueAt - 5 * minuteMs }), {}],
  ['sourceRate', run({ calls: { key: 'k', count: 60 * 60 * 5 } }), { callsPerMinute: 60, callsLeftOn: null }],
  ['allowance', run({ calls: { key: 'k', count: 500 } }), { callsPerMinute: null, callsLeftOn: () => 499 }],
] as const)('[SCALE-3] names %s before the promised time', (obstacle, promise, source) => {
  const sources = new Map([['k', { callsPerMinute: null, callsLeftOn: null, ...source }]])
  const [planned] = planStarts({ promises: [promise], limits: limits({ sources }), reserved: [], now })
  expect(planned?.obstacle).toBe(obstacle)
})

test('[SCALE-3] names workers that are too few, and starts those runs when there is room', () => {
  const plan = planStarts({ promises: runs(20), limits: limits({ concurrentRuns: 1 }), reserved: [], now })
  const late = plan.filter(({ obstacle }) => obstacle === 'workers')
  expect(plan.filter(({ obstacle }) => obstacle === null)).toHaveLength(11)
  expect(late.map(({ startAt }) => startAt >= dueAt)).toEqual(late.map(() => true))
})

test('[SCALE-3] connectors that share a key start one after the other when together they exceed its calls', () => {
  const sources = new Map([['shared', { callsPerMinute: 60, callsLeftOn: null }]])
  const promises = runs(3, () => ({ calls: { key: 'shared', count: 20 * 45 } }))
  const plan = planStarts({ promises, limits: limits({ sources }), reserved: [], now })
  expect(plan.map(clock).toSorted()).toEqual(['06:10', '06:30', '06:50'])
})

test('[SCALE-3] keys whose allowance does not suffice keep as many promises as possible', () => {
  const sources = new Map([['shared', { callsPerMinute: null, callsLeftOn: () => 1_000 }]])
  const promises = runs(11, (at) => ({ calls: { key: 'shared', count: at === 0 ? 1_000 : 100 } }))
  const plan = planStarts({ promises, limits: limits({ sources }), reserved: [], now })
  expect(plan.map(({ obstacle }) => obstacle)).toEqual(['allowance', ...Array.from({ length: 10 }, () => null)])
})

const anyRun = fc.record({
  organisationId: fc.constantFrom('a', 'b', 'c', 'd'),
  dueMinute: fc.integer({ min: 0, max: 240 }),
  windowMinutes: fc.integer({ min: 1, max: 300 }),
  seconds: fc.integer({ min: 1, max: 5_000 }),
  calls: fc.option(fc.record({ key: fc.constantFrom('k', 'l'), count: fc.integer({ min: 1, max: 3_000 }) })),
})

test('[SCALE-3] whatever is promised, planned runs are within their hours and all limits', () => {
  const sources = new Map([
    ['k', { callsPerMinute: 60, callsLeftOn: null }],
    ['l', { callsPerMinute: null, callsLeftOn: () => 5_000 }],
  ])
  fc.assert(
    fc.property(
      fc.array(anyRun, { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      (wishes, workers) => {
        const promises = wishes.map(({ organisationId, dueMinute, windowMinutes, seconds, calls }, at): PromisedRun => {
          const due = dueAt + dueMinute * minuteMs
          return {
            id: `${at}`,
            organisationId,
            dueAt: due,
            earliestAt: due - windowMinutes * minuteMs,
            durationMs: seconds * 1_000,
            calls,
          }
        })
        const given = limits({ concurrentRuns: workers, sources })
        const plan = planStarts({ promises, limits: given, reserved: [], now })
        expect(plan.map(({ id }) => id)).toEqual(promises.map(({ id }) => id))
        const kept = plan.flatMap((planned, at) => {
          const promise = promises[at]
          return promise === undefined || planned.obstacle !== null ? [] : [{ planned, promise }]
        })
        for (const { planned, promise } of kept) {
          expect(planned.startAt).toBeGreaterThanOrEqual(promise.earliestAt)
          // A start is delayed by up to a minute within its minute.
          expect(planned.endAt + leastMarginMs(promise.durationMs) - minuteMs).toBeLessThanOrEqual(promise.dueAt)
        }
        expectWithin(kept, given)
      },
    ),
    { numRuns: 300 },
  )
})

interface KeptPromise {
  readonly planned: PlannedStart
  readonly promise: PromisedRun
}

/** Counts minute by minute, in another way than the planner. */
function expectWithin(kept: readonly KeptPromise[], { concurrentRuns, runsOf, sources }: StartLimits): void {
  const used = new Map<string, number>()
  const add = (name: string, amount: number) => used.set(name, (used.get(name) ?? 0) + amount)
  for (const { planned, promise } of kept) {
    const first = Math.floor(planned.startAt / minuteMs)
    const duration = planned.endAt - planned.startAt
    const minutes = Math.ceil(duration / minuteMs)
    for (let minute = first; minute < first + minutes; minute += 1) {
      add(`workers ${minute}`, Math.min(1, duration / minuteMs))
      add(`organisation ${promise.organisationId} ${minute}`, Math.min(1, duration / minuteMs))
      if (promise.calls?.key === 'k') add(`rate ${minute}`, promise.calls.count / minutes)
    }
    if (promise.calls?.key === 'l') add(`day ${Math.floor(first / 1_440)}`, promise.calls.count)
  }
  const most = (prefix: string) =>
    Math.max(0, ...[...used].flatMap(([name, sum]) => (name.startsWith(prefix) ? [sum] : [])))
  expect(most('workers')).toBeLessThanOrEqual(concurrentRuns + 0.001)
  expect(most('organisation')).toBeLessThanOrEqual(runsOf('a') + 0.001)
  expect(most('rate')).toBeLessThanOrEqual((sources.get('k')?.callsPerMinute ?? 0) + 0.001)
  expect(most('day')).toBeLessThanOrEqual(sources.get('l')?.callsLeftOn?.(0) ?? 5_000)
}

test.each([
  ['enough workers', 0.8, 0.995],
  ['half as many workers as that takes', 2, 0],
] as const)(
  '[SCALE-3] a simulated morning with %s: limits of sources are kept, and those that will be late are named before',
  (_, load, part) => {
    const {
      possible,
      onTime,
      surprises,
      runs: all,
      executed,
      concurrentRuns,
    } = simulateMorning({
      organisations: 2_000,
      load,
      seed: 3,
    })
    expect(onTime / possible).toBeGreaterThanOrEqual(part)
    expect(surprises / all.length).toBeLessThan(0.002)
    expect(executed.mostOfMinute).toBeLessThanOrEqual(1.000_1)
    expect(executed.mostOfDay).toBeLessThanOrEqual(1)
    expect(executed.mostRuns).toBeLessThanOrEqual(concurrentRuns)
  },
)
