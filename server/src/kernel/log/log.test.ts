import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog, type LogFields } from './log.ts'
import { withLogContext } from '../telemetry/log-context.ts'

function linesOf(work: (log: ReturnType<typeof openLog>) => void): Record<string, unknown>[] {
  const lines: string[] = []
  work(openLog('info', (line) => lines.push(line)))
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line has the event, its time in UTC and the declared fields only', () => {
  const fields = { runId: 'r1', rows: 3, body: { password: 'x' }, authorization: 'Bearer x' } as LogFields
  const [line] = linesOf((log) => log.info('run completed', fields))
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/Z$/u),
    msg: 'run completed',
    runId: 'r1',
    rows: 3,
  })
})

test('an error is logged with class, code, message and cause, without properties that drivers attach', () => {
  const cause = Object.assign(new Error('refused'), { code: '28P01', query: 'select secret', parameters: ['secret'] })
  const [line] = linesOf((log) => log.error('failed', { error: new TypeError('outer', { cause }) }))
  expect(line?.['error']).toMatchObject({
    class: 'TypeError',
    message: 'outer',
    cause: { class: 'Error', code: '28P01', message: 'refused' },
  })
  expect(JSON.stringify(line)).not.toContain('select secret')
})

test('a line break in a value cannot start a new log line', () => {
  const lines: string[] = []
  openLog('info', (line) => lines.push(line)).info('call', { host: 'a\n{"level":"info","msg":"forged"}' })
  expect(lines.join('').trim().split('\n')).toHaveLength(1)
})

test('a line has the role of the process and the log context', () => {
  const lines: string[] = []
  const log = openLog('info', (line) => lines.push(line), { role: 'web' })
  withLogContext({ reference: 'r1', organisationId: 'o1' }, () =>
    withLogContext({ traceId: 't1', span: { secret: 'x' } }, () => log.info('call')),
  )
  log.info('alone')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      role: 'web',
      msg: 'call',
      reference: 'r1',
      organisationId: 'o1',
      traceId: 't1',
    },
    { level: 'info', time: expect.any(String), role: 'web', msg: 'alone' },
  ])
})

test('the text form is readable and has one line per event', () => {
  const lines: string[] = []
  const log = openLog('info', (line) => lines.push(line), { role: 'all', form: 'text' })
  log.redactSecret('canary-secret')
  log.warn('a run could not be read', { host: 'a\nb', error: new Error('no canary-secret here') })
  expect(lines.join('')).toMatch(
    /^\d\d:\d\d:\d\d warn {2}a run could not be read host="a\\nb"\n {4}no \[secret\] here\n {4}at /u,
  )
})

test.each([
  ['of PostgreSQL', { code: '22012' }, '(22012)'],
  ['of MySQL', { code: 'ER_BLOB_KEY_WITHOUT_LENGTH', errno: 1170 }, '(ER_BLOB_KEY_WITHOUT_LENGTH, 1170)'],
  ['of SQL Server', { code: 'EREQUEST', number: 8134 }, '(EREQUEST, 8134)'],
])('a database’s own message and code %s are in the log, in both forms', (_, codes, shown) => {
  const cause = Object.assign(new Error('the server’s own words'), codes)
  const error = new Error('the message for people', { cause })
  const lines: string[] = []
  openLog('info', (line) => lines.push(line), { form: 'text' }).error('a table could not be moved', { error })
  expect(lines.join('')).toContain(`    caused by: the server’s own words ${shown}\n`)
  const { code, ...rest } = codes
  const number = Object.values(rest)[0]
  const [entry] = linesOf((log) => log.error('a table could not be moved', { error }))
  expect(entry?.['error']).toMatchObject({
    cause: { message: 'the server’s own words', code, ...(number !== undefined && { number }) },
  })
})

test('[ISSUE 20 D20] a closed log pipe loses lines but does not end the process', async () => {
  const log = join(import.meta.dirname, 'log.ts')
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises'
    const { openLog } = await import(${JSON.stringify(log)})
    const lines = openLog('info')
    for (let line = 0; line < 20; line += 1) {
      lines.info('a line')
      await sleep(20)
    }
    process.exit(7)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await once(child, 'exit')).toEqual([7, null])
})
