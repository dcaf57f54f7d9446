import { expect, test } from 'vitest'
import { CallError, messageOf } from './call-error.ts'

const messageFor = (fields: Record<string, string>) =>
  messageOf(
    new CallError({
      statusCode: 400,
      code: 'badInput',
      message: `Some of what was sent is not right: ${Object.keys(fields).join('; ')}.`,
      fields,
    }),
  )

test.each([
  [
    { 'account.password': 'is among the most common ones; choose another' },
    'Password is among the most common ones; choose another.',
  ],
  [{ 'account.emailAddress': 'must be an e-mail address' }, 'Email address must be an e-mail address.'],
  [{ 'records.0.name': 'must not be empty' }, 'Name must not be empty.'],
  [{ schedule: 'Write five fields.' }, 'Schedule: Write five fields.'],
  [
    { 'portal.user': 'Only members can be assigned.', type: 'is missing' },
    'User: Only members can be assigned. Type is missing.',
  ],
])('[a refusal of %j] names the fields in words, not by their paths in the request', (fields, sentence) => {
  expect(messageFor(fields)).toBe(`Some of what was sent is not right. ${sentence}`)
})

test('any other refusal shows the message of the server', () => {
  expect(
    messageOf(
      new CallError({
        statusCode: 422,
        code: 'settingsWrong',
        message: 'Host is missing.',
        fields: { host: 'required' },
      }),
    ),
  ).toBe('Host is missing.')
})
