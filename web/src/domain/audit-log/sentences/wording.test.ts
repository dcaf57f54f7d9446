import { auditActions } from '@tributary/contract/audit-actions'
import { eventSamples } from '@tributary/testing/web/audit-event-samples.ts'
import { about, event } from '@tributary/testing/web/audit-events.ts'
import { expect, test } from 'vitest'
import { describeEvent, sentenceText } from './wording.ts'

test.each(auditActions)('[UX-AUDIT-1] %s is a sentence that names the person and the thing', (action) => {
  const { says, ...sample } = eventSamples[action]
  expect(sentenceText(event(action, sample), 'Europe/London')).toEqual(says)
})

test.each(auditActions)('[UX-AUDIT-1] %s is a sentence even if its record holds nothing but the action', (action) => {
  const text = sentenceText(event(action), 'Europe/London')
  expect(text).not.toMatch(/undefined|null|NaN|\[object|[\u{E000}\u{E001}]/u)
  expect(text).toMatch(/^\p{Lu}/u)
})

test('[UX-AUDIT-1] an action of an earlier version is shown by its code, and a name that looks like a placeholder stays text', () => {
  expect(sentenceText(event('thing.moved_on', about('area', 'Kitchen')), 'Europe/London')).toBe(
    'Amara Okafor: thing moved on, the area Kitchen',
  )
  expect(describeEvent(event('structure.created', about('area', '<b>{thing}</b>')), 'Europe/London')).toEqual([
    { kind: 'who', text: 'Amara Okafor' },
    { kind: 'text', text: ' added ' },
    { kind: 'text', text: 'the area ' },
    { kind: 'thing', text: '<b>{thing}</b>' },
  ])
})
