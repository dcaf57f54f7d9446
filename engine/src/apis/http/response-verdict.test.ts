import { Fault } from '../../ports/faults.ts'
import { expect, test } from 'vitest'
import type { HttpResponse } from './exchange.ts'
import { judgeByStatus, parseRetryAfter } from './response-verdict.ts'

const api = { title: 'Example', code: 'example' }
const reply = (status: number, type = 'application/json', body = '{}'): HttpResponse => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(body),
  transferred: body.length,
})

const verdicts: readonly (readonly [status: number, verdict: string])[] = [
  [200, 'fine'],
  [204, 'fine'],
  [301, 'settings'],
  [400, 'bug'],
  [401, 'signIn'],
  [403, 'signIn'],
  [404, 'settings'],
  [405, 'bug'],
  [408, 'unreachable'],
  [418, 'bug'],
  [429, 'limited'],
  [500, 'failing'],
  [502, 'failing'],
  [503, 'limited'],
  [504, 'failing'],
]

test.each(verdicts)('[SRC-6] the status %i means %s', (status, expected) => {
  const verdict = judgeByStatus(api, reply(status))
  expect(verdict instanceof Fault ? verdict.kind : verdict).toBe(expected)
})

test('[SRC-6] a web page instead of data is a matter of the settings', () => {
  expect(judgeByStatus(api, reply(200, 'text/html', '<html>'))).toMatchObject({ kind: 'settings' })
})

const now = Date.parse('2026-11-28T12:00:00Z')

test.each([
  ['7', 7_000],
  ['0', null],
  ['Sat, 28 Nov 2026 12:01:30 GMT', 90_000],
  ['Sat, 28 Nov 2026 11:00:00 GMT', null],
  ['soon', null],
  [undefined, null],
] as const)('[SRC-6] Retry-After ‘%s’ is a wait of %s ms; without a time, the pace decides', (header, expected) => {
  expect(parseRetryAfter({ headers: header === undefined ? {} : { 'retry-after': header } }, now)).toBe(expected)
})
