import { stalledAfterMs } from '@tributary/contract/limits'
import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import {
  activityOf,
  assignedUsers,
  freshAt,
  isAdminRole,
  mayRefresh,
  needOf,
  needsSomebody,
} from './connector-state.ts'

const started = '2026-11-20T08:00:00.000Z'
const ended = '2026-11-20T08:05:00.000Z'
const start = Date.parse(started)

test('[DASH-3] a run is stalled once 30 minutes have passed since its trigger, by hand or by schedule', () => {
  for (const going of [log({ ManuallyTriggeredAtUtc: started }), log({ AutomaticallyTriggeredAtUtc: started })]) {
    expect(activityOf(going, start + stalledAfterMs - 1)).toBe('running')
    expect(activityOf(going, start + stalledAfterMs)).toBe('stalled')
  }
})

test('[DASH-3] a completed run is never stalled', () => {
  expect(activityOf(log({ ManuallyTriggeredAtUtc: started, CompletedAtUtc: ended }), start + 10 * stalledAfterMs)).toBe(
    'completed',
  )
})

test('[DASH-5] refresh is enabled without a log, after a completed run and when the run has stalled, else not', () => {
  const going = log({ ManuallyTriggeredAtUtc: started })
  expect(mayRefresh(null, start)).toBe(true)
  expect(mayRefresh(log({ ManuallyTriggeredAtUtc: started, CompletedAtUtc: ended }), start)).toBe(true)
  expect(mayRefresh(going, start)).toBe(false)
  expect(mayRefresh(going, start + stalledAfterMs)).toBe(true)
})

test('[DASH-4] HasError and Forbidden count as failed', () => {
  expect(activityOf(log({ CompletedAtUtc: ended, HasError: true }), start)).toBe('failed')
  expect(activityOf(log({ CompletedAtUtc: ended, Forbidden: true }), start)).toBe('failed')
})

test('only a failed connector that is connected needs somebody', () => {
  const failed = log({ CompletedAtUtc: ended, HasError: true })
  expect(needsSomebody(connector({ Log: failed }), start)).toBe(true)
  expect(needsSomebody(connector({ Log: failed, Status: 'DISCONNECTED' }), start)).toBe(false)
  expect(needsSomebody(connector(), start)).toBe(false)
})

test('what needs somebody most is named first, and what is merely slow needs nobody yet', () => {
  const needs = [
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true, Forbidden: true }), PendingChanges: 1 }),
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true }), TargetDownSinceUtc: ended }),
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true }), PendingChanges: 1 }),
    connector({ Log: log({ ManuallyTriggeredAtUtc: started }) }),
    connector({ Log: log({ CompletedAtUtc: ended }), PendingChanges: 1 }),
    connector({ Log: log({ CompletedAtUtc: ended }) }),
  ]
  const at = start + stalledAfterMs
  expect(needs.map((each) => needOf(each, at))).toEqual([
    'forbidden',
    'targetDown',
    'failed',
    'stalled',
    'changes',
    null,
  ])
  expect(needs.map((each) => needsSomebody(each, at))).toEqual([true, true, true, false, true, false])
})

test('a connector is as fresh as its latest run, unless that failed', () => {
  const at = (time: string, HasError = false) => connector({ Log: log({ CompletedAtUtc: time, HasError }) })
  expect(freshAt(at(ended))).toBe(ended)
  expect(freshAt(at(ended, true))).toBeNull()
  expect(freshAt(connector())).toBeNull()
})

test('the users of a connector are the ids in portal.user, with spaces between', () => {
  expect(
    assignedUsers(connector({ Properties: [{ Name: 'portal.user', Value: 'a  b', ClientConnectorId: 'c' }] })),
  ).toEqual(['a', 'b'])
  expect(assignedUsers(connector())).toEqual([])
})

test('[SHELL-11] every role whose name contains admin is shown Manage', () => {
  expect(['superadmin', 'provideradmin', 'admin', 'user', 'guest'].map(isAdminRole)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})
