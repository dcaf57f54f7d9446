import { expect, test } from 'vitest'
import { openLog, type LogFields } from './log.ts'

function linesOf(work: (log: ReturnType<typeof openLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  work(openLog('info', (line) => lines.push(line)))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line holds the event, its time in UTC and the fields that may be told, nothing else', () => {
  const fields = { runId: 'r1', rows: 3, body: { password: 'x' }, authorization: 'Bearer x' } as LogFields
  const [line] = linesOf((log) => log.info('run completed', fields))
  expect(line).toEqual({ level: 'info', time: expect.stringMatching(/Z$/u), msg: 'run completed', runId: 'r1', rows: 3 })
})

test('an error is told by class, code, message and cause, without what a driver hangs on it', () => {
  const cause = Object.assign(new Error('refused'), { code: '28P01', query: 'select secret', parameters: ['secret'] })
  const [line] = linesOf((log) => log.error('failed', { error: new TypeError('outer', { cause }) }))
  expect(line?.['error']).toMatchObject({
    class: 'TypeError',
    message: 'outer',
    cause: { class: 'Error', code: '28P01', message: 'refused' },
  })
  expect(JSON.stringify(line)).not.toContain('select secret')
})

test('a line break in a value cannot begin a line of its own', () => {
  const lines: string[] = []
  openLog('info', (line) => lines.push(line)).info('call', { host: 'a\n{"level":"info","msg":"forged"}' })
  expect(lines.join('').trim().split('\n')).toHaveLength(1)
})
