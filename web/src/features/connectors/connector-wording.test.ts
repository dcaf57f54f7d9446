import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import { connectErrorMessage } from './manage/connect-error.ts'
import { describeSchedule } from '../../domain/schedules/schedule.ts'
import { connectorStatusBadge } from './connector-status.ts'

test('[MAN-5] each error in the URL has the message of the specification', () => {
  expect(connectErrorMessage('unauthorised', 'Xero')).toBe(
    'Adding the Xero connector was either cancelled or was not allowed.',
  )
  expect(connectErrorMessage('connector_exists', 'Xero')).toBe(
    'The Xero connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.',
  )
  expect(connectErrorMessage('anything', 'Xero')).toBe(
    'Something seems to have gone wrong while trying to add the Xero connector. Please try again.',
  )
})

test('[MAN-3] a connector is connected, unkown when forbidden, or what its status says', () => {
  const words = [
    connector(),
    connector({ Log: log({ Forbidden: true }) }),
    connector({ Status: 'DISCONNECTED' }),
    connector({ Status: 'DELETED' }),
  ]
  expect(words.map((each) => connectorStatusBadge(each).label)).toEqual([
    'connected',
    'unkown',
    'disconnected',
    'deleted',
  ])
  expect(connectorStatusBadge(connector({ Log: log({ Forbidden: true }) })).tooltip).toBe(
    'This connector may have been disconnected.',
  )
})

test('common schedules are described in words, others by their expression', () => {
  expect(describeSchedule(null, 'Europe/London')).toBe('By hand only')
  expect(describeSchedule('*/10 * * * *', 'Europe/London')).toBe('Every 10 minutes')
  expect(describeSchedule('0 */4 * * *', 'Europe/London')).toBe('Every 4 hours')
  expect(describeSchedule('30 2 * * *', 'Europe/London')).toBe('Every day at 02:30')
  expect(describeSchedule('0 6 * * 1-5', 'Europe/London')).toBe('Weekdays at 06:00')
  expect(describeSchedule('0 6 1 * *', 'Europe/London')).toBe('Schedule 0 6 1 * *')
})
