import { expect, test } from 'vitest'
import { connector, log } from '@tributary/testing/web/render-app.tsx'
import { arrivalError } from './manage/connect-error.ts'
import { scheduleWords } from './schedule/schedule.ts'
import { statusLook } from './connector-status.ts'

test('[MAN-5] each error of the address has the words of the specification', () => {
  expect(arrivalError('unauthorised', 'Xero')).toBe(
    'Adding the Xero connector was either cancelled or was not allowed.',
  )
  expect(arrivalError('connector_exists', 'Xero')).toBe(
    'The Xero connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.',
  )
  expect(arrivalError('anything', 'Xero')).toBe(
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
  expect(words.map((each) => statusLook(each).word)).toEqual(['connected', 'unkown', 'disconnected', 'deleted'])
  expect(statusLook(connector({ Log: log({ Forbidden: true }) })).hint).toBe(
    'This connector may have been disconnected.',
  )
})

test('common schedules are told in words, others as they are', () => {
  expect(scheduleWords(null)).toBe('By hand only')
  expect(scheduleWords('*/10 * * * *')).toBe('Every 10 minutes')
  expect(scheduleWords('0 */4 * * *')).toBe('Every 4 hours')
  expect(scheduleWords('30 2 * * *')).toBe('Every day at 02:30')
  expect(scheduleWords('0 6 * * 1-5')).toBe('Weekdays at 06:00')
  expect(scheduleWords('0 6 1 * *')).toBe('Schedule 0 6 1 * *')
})
