import { auditLog } from '@tributary/contract/audit-log'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { RunDriver, until } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { startWorker } from '../../worker.ts'
import { testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'

let console: TestConsole
let driver: RunDriver
let connectorId: string
const shop = 'harbour-trading/shop'

beforeAll(async () => {
  console = await testConsole()
  const source = await sourceDatabase(
    'CREATE TABLE invoice (id int PRIMARY KEY, note text); INSERT INTO invoice SELECT n FROM generate_series(1, 20) n',
  )
  driver = new RunDriver(console.app.as.admin, console.app.harbour.id, source)
  connectorId = await driver.add('Shop')
})
afterAll(() => console[Symbol.asyncDispose]())

interface FailedCommand {
  readonly error: { readonly code: string; readonly message: string }
}

describe('tributary connector, while no worker runs', () => {
  test('run starts a run as the portal does, refuses a second one, and cancel ends it', async () => {
    const started = await console.run('connector', 'run', shop, '--json')
    const { runId } = started.json<{ runId: string }>()
    expect(await driver.read({ connectorId, runId })).toMatchObject({
      Status: 'QUEUED',
      Trigger: 'person',
      TriggeredBy: null,
    })
    expect((await console.run('connector', 'run', shop, '--json')).json<FailedCommand>().error.code).toBe(
      'alreadyRunning',
    )

    const cancelled = await console.run('connector', 'cancel', connectorId)
    expect(cancelled).toMatchObject({ code: 0, stdout: `The run of ${shop} is cancelled.\n` })
    expect(await driver.read({ connectorId, runId })).toMatchObject({
      Status: 'CANCELLED',
      Notice: 'Cancelled by the operator, at the console.',
    })
    expect((await console.run('connector', 'cancel', shop, '--json')).json<FailedCommand>().error.code).toBe(
      'notRunning',
    )

    const { app } = console
    const events = await app.as.admin.call(auditLog.list, {
      query: { orgId: app.harbour.id, search: 'operator' },
    })
    expect(events.body.map(({ Action }) => Action)).toEqual(['sync.cancelled', 'sync.triggered'])
  })

  test('refuses an unknown or disconnected connector, and one of an archived organisation, each with a sentence', async () => {
    const { app } = console
    await driver.add('Idle')
    const disconnected = await app.as.admin.call(connectors.disconnect, {
      params: { clientKey: 'harbour-trading', connectorKey: 'idle' },
    })
    expect(disconnected.status).toBe(204)
    expect(await console.run('connector', 'run', 'harbour-trading/idle')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'This connector is disconnected. Connect it again before you refresh it.\n',
    })
    expect((await console.run('connector', 'run', 'summit-foods/shop')).stderr).toBe(
      'There is no connector summit-foods/shop. See the names with: tributary connector list\n',
    )
    const { runId } = await driver.start(connectorId)
    expect(await console.run('connector', 'logs', 'harbour-trading/idle', '--run', runId)).toMatchObject({
      code: 1,
      stderr: `There is no run ${runId} of this connector.\n`,
    })
    await console.run('connector', 'cancel', shop)
    await console.run('organisation', 'archive', 'harbour-trading')
    expect((await console.run('connector', 'run', shop, '--json')).json<FailedCommand>().error.code).toBe(
      'organisationArchived',
    )
    await console.run('organisation', 'restore', 'harbour-trading')
  })

  test('logs --follow succeeds when it is interrupted', async () => {
    const { app, env } = console
    const { runId } = await driver.start(connectorId)
    const line = { organisationId: app.harbour.id, runId, level: 'info', text: 'Something to follow.' } as const
    await app.store.within(app.harbour.id, (db) => db.insertInto('runLine').values(line).execute())
    const follower = spawnCommand(['connector', 'logs', shop, '--follow', '--json'], env)
    await until(
      async () => follower.printed(),
      (printed) => printed.includes(line.text),
    )
    follower.process.kill('SIGINT')
    const { code, stdout } = await follower.ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout.split('\n').at(-2) ?? '')).toMatchObject({ id: runId, status: 'QUEUED' })
    await console.run('connector', 'cancel', shop)
  })
})

test('a worker takes the run; --wait and logs --follow end with it, and --json prints each line as a document', async () => {
  const { app, run } = console
  const worker = await startWorker({ ...app.services, clock: systemClock }, { pollMs: 200 })
  try {
    const waited = await run('connector', 'run', shop, '--wait')
    expect(waited).toMatchObject({ code: 0, stdout: 'completed: 20 rows written, 0 updated, 0 deleted, 0 rejected.\n' })
    expect(waited.stderr).toContain('waits for a worker')
    const logs = await run('connector', 'logs', shop, '--follow', '--json')
    const lines = logs.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.at(0)).toMatchObject({ text: 'Started.' })
    expect(lines.at(-1)).toMatchObject({ status: 'COMPLETED', rowsWritten: 20 })
    const whole = (await run('connector', 'logs', shop, '--json')).json<{ run: unknown; lines: readonly unknown[] }>()
    expect(whole.lines).toHaveLength(lines.length - 1)
    const list = (await run('connector', 'list', '--organisation', 'harbour-trading', '--json')).json<
      readonly unknown[]
    >()
    expect(list).toContainEqual(expect.objectContaining({ label: shop, lastStatus: 'COMPLETED' }))
  } finally {
    await worker.stop()
  }
})
