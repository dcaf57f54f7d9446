import { stalledAfterMs } from '@tributary/contract/limits'
import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import {
  connectorActivity,
  assignedUserIds,
  lastGoodRunAt,
  isAdminRole,
  canRefresh,
  attentionReason,
} from './connector-state.ts'

const started = '2026-11-20T08:00:00.000Z'
const ended = '2026-11-20T08:05:00.000Z'
const start = Date.parse(started)

test('[DASH-3] a run is stalled 30 minutes after its trigger, manual or scheduled', () => {
  for (const running of [log({ ManuallyTriggeredAtUtc: started }), log({ AutomaticallyTriggeredAtUtc: started })]) {
    expect(connectorActivity(running, start + stalledAfterMs - 1)).toBe('running')
    expect(connectorActivity(running, start + stalledAfterMs)).toBe('stalled')
  }
})

test('[DASH-3] a completed run is never stalled', () => {
  expect(
    connectorActivity(log({ ManuallyTriggeredAtUtc: started, CompletedAtUtc: ended }), start + 10 * stalledAfterMs),
  ).toBe('completed')
})

test('[DASH-5] refresh is enabled without a log, after a completed run and after a stalled run, otherwise disabled', () => {
  const running = log({ ManuallyTriggeredAtUtc: started })
  expect(canRefresh({ Log: null, HostApproval: null }, start)).toBe(true)
  const HostApproval = { Status: 'WAITING', Hosts: ['api.example.com'], Notice: 'Waiting' } as const
  expect(canRefresh({ Log: null, HostApproval: { ...HostApproval, Hosts: [...HostApproval.Hosts] } }, start)).toBe(
    false,
  )
  expect(
    canRefresh({ Log: log({ ManuallyTriggeredAtUtc: started, CompletedAtUtc: ended }), HostApproval: null }, start),
  ).toBe(true)
  expect(canRefresh({ Log: running, HostApproval: null }, start)).toBe(false)
  expect(canRefresh({ Log: running, HostApproval: null }, start + stalledAfterMs)).toBe(true)
})

test('[DASH-4] HasError and Forbidden count as failed', () => {
  expect(connectorActivity(log({ CompletedAtUtc: ended, HasError: true }), start)).toBe('failed')
  expect(connectorActivity(log({ CompletedAtUtc: ended, Forbidden: true }), start)).toBe('failed')
})

test('a failed connector needs attention only while it is connected', () => {
  const failed = log({ CompletedAtUtc: ended, HasError: true })
  expect(attentionReason(connector({ Log: failed }), start)).toBe('failed')
  expect(attentionReason(connector({ Log: failed, Status: 'DISCONNECTED' }), start)).toBeNull()
  expect(attentionReason(connector(), start)).toBeNull()
})

test('the worst reason is reported first', () => {
  const connectors = [
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true, Forbidden: true }), PendingChanges: 1 }),
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true }), TargetDownSinceUtc: ended }),
    connector({ Log: log({ CompletedAtUtc: ended, HasError: true }), PendingChanges: 1 }),
    connector({ Log: log({ ManuallyTriggeredAtUtc: started }) }),
    connector({ Log: log({ CompletedAtUtc: ended }), PendingChanges: 1 }),
    connector({ Log: log({ CompletedAtUtc: ended }) }),
  ]
  const at = start + stalledAfterMs
  expect(connectors.map((each) => attentionReason(each, at))).toEqual([
    'forbidden',
    'targetDown',
    'failed',
    'stalled',
    'changes',
    null,
  ])
})

test('the last good run is the latest run, unless it failed', () => {
  const at = (time: string, HasError = false) => connector({ Log: log({ CompletedAtUtc: time, HasError }) })
  expect(lastGoodRunAt(at(ended))).toBe(ended)
  expect(lastGoodRunAt(at(ended, true))).toBeNull()
  expect(lastGoodRunAt(connector())).toBeNull()
})

test('the users of a connector are the space-separated ids in portal.user', () => {
  expect(
    assignedUserIds(connector({ Properties: [{ Name: 'portal.user', Value: 'a  b', ClientConnectorId: 'c' }] })),
  ).toEqual(['a', 'b'])
  expect(assignedUserIds(connector())).toEqual([])
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
