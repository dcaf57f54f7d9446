/** The backup commands: backups made next to a running server, dry runs and restores. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dumpDatabase } from '@tributary/testing/server/app/database-dump.ts'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { runInProcess, type TestConsole, testConsole } from '@tributary/testing/server/cli/admin-console.ts'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-commands-'))
const identity = join(home, 'identity.txt')
const file = join(home, 'store.backup')
const phrase = join(home, 'passphrase')
const passphrase = 'canary-passphrase-of-a-backup'

let desk: TestConsole
let recipient: string
beforeAll(async () => {
  desk = await testConsole()
  recipient = (await desk.run('backup', 'keygen', identity, '--json')).json<{ recipient: string }>().recipient
  writeFileSync(phrase, `${passphrase}\n`)
})
afterAll(async () => {
  await desk[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

/** The console of another installation with the same master key and another database. */
async function elsewhere(): Promise<{
  run: (...words: string[]) => ReturnType<TestConsole['run']>
  connection: Awaited<ReturnType<typeof createEmptyDatabase>>
}> {
  const connection = await createEmptyDatabase()
  const env = {
    ...desk.env,
    DATABASE_URL: (desk.env['DATABASE_URL'] ?? '').replace(/[^/]+$/u, String(connection.database)),
  }
  return { connection, run: (...words) => runInProcess(words, env) }
}

test('a backup is one file that only its owner can read, is restored elsewhere, and is recorded as the last backup', async () => {
  const made = await desk.run('backup', '--to', file, '--recipient', recipient, '--json')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.json()).toMatchObject({ file, bytes: statSync(file).size })
  expect([statSync(file).mode & 0o777, statSync(identity).mode & 0o777, existsSync(`${file}.part`)]).toEqual([
    0o600,
    0o600,
    false,
  ])
  expect((await desk.run('status', '--json')).json()).toMatchObject({
    lastBackupAt: made.json<{ madeAt: string }>().madeAt,
  })

  const other = await elsewhere()
  const tried = await other.run('restore', '--from', file, '--identity-file', identity, '--dry-run')
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was written') })
  expect((await dumpDatabase(other.connection)).shape).toEqual([])
  const restored = await other.run('restore', '--from', file, '--identity-file', identity, '--json')
  expect(restored.json()).toMatchObject({ settled: { runsEnded: 0, mailsNotSent: 0 } })
  expect((await dumpDatabase(other.connection)).rows['portal_user']).toEqual(
    (await dumpDatabase(desk.app.connection)).rows['portal_user'],
  )

  const again = await other.run('restore', '--from', file, '--identity-file', identity)
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') })
})

test('a backup can be written to the standard output, with its summary on the standard error', async () => {
  const { code, stdout, stderr } = await spawnCommand(['backup', '--to', '-', '--passphrase-file', phrase], desk.env)
    .ended
  expect([code, stdout.startsWith('age-encryption.org/v1')]).toEqual([0, true])
  expect(stderr).toContain('rows of')
  expect(stderr).not.toContain(passphrase)
})

test.each([
  ['without recipients and passphrase', () => ['backup', '--to', join(home, 'none')], 'noLock'],
  ['for an invalid recipient', () => ['backup', '--to', join(home, 'none'), '--recipient', 'bob'], 'backup'],
  ['over an existing file', () => ['backup', '--to', identity, '--recipient', recipient], 'fileExists'],
  ['into a missing folder', () => ['backup', '--to', join(home, 'no', 'where'), '--recipient', recipient], 'file'],
  [
    'from a missing file',
    () => ['restore', '--from', join(home, 'none'), '--identity-file', identity, '--dry-run'],
    'file',
  ],
  [
    'from a file that is no backup',
    () => ['restore', '--from', phrase, '--identity-file', identity, '--dry-run'],
    'backup',
  ],
  ['without identity and passphrase', () => ['restore', '--from', file, '--dry-run'], 'noUnlock'],
] as const)('nothing is made or restored %s', async (_, words, code) => {
  const before = readFileSync(identity, 'utf8')
  const ended = await desk.run(...words(), '--json')
  expect([ended.code, ended.json()]).toEqual([1, { error: { code, message: expect.stringMatching(/\.$/) } }])
  expect([readFileSync(identity, 'utf8'), existsSync(join(home, 'none')), existsSync(join(home, 'none.part'))]).toEqual(
    [before, false, false],
  )
})

test.each([
  ['backup', ['backup', '--to', join(home, 'none'), '--passphrase-file', phrase]],
  ['dry run of a restore', ['restore', '--from', file, '--identity-file', identity, '--dry-run']],
  ['migration status', ['migrate', 'status']],
  ['migration', ['migrate', 'run']],
])(
  'a %s with an incomplete configuration is refused, and does not touch a trial in the data folder',
  async (_, words) => {
    const env = { TRIBUTARY_MODE: 'production', TRIBUTARY_DATA_DIR: join(home, 'no-trial') }
    const { code, json } = await runInProcess([...words, '--json'], env)
    expect([code, json()]).toEqual([
      1,
      { error: { code: 'configuration', message: expect.stringContaining('DATABASE_URL is missing') } },
    ])
  },
)

test('a backup fails when its reader closes the standard output, and prints the error to the standard error only', async () => {
  const { process: child, ended } = spawnCommand(
    ['backup', '--to', '-', '--passphrase-file', phrase, '--json'],
    desk.env,
  )
  child.stdout?.destroy()
  const { code, stderr } = await ended
  const message = expect.stringContaining('The reader of the standard output closed it')
  expect([code, JSON.parse(stderr)]).toEqual([1, { error: { code: 'file', message } }])
})

test('a backup that cannot be recorded is still reported as complete', async () => {
  const admin = new Client({ ...inject('postgres'), database: String(desk.app.connection.database) })
  await admin.connect()
  await admin.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
    CREATE TRIGGER unnoted BEFORE INSERT ON backup FOR EACH ROW EXECUTE FUNCTION refuse()`)
  const path = join(home, 'unnoted.backup')
  const { code, json } = await desk.run('backup', '--to', path, '--recipient', recipient, '--json')
  const message = 'The backup is complete and can be used, but it could not be recorded as the last backup (no room).'
  expect([code, json()]).toEqual([1, { error: { code: 'notNoted', message } }])
  await admin.query('DROP TRIGGER unnoted ON backup; DROP FUNCTION refuse')
  await admin.end()
  const other = await elsewhere()
  const tried = await other.run('restore', '--from', path, '--identity-file', identity, '--dry-run')
  expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was written') })
})

test('a restore that is killed after writing all rows leaves an empty database, and the next restore succeeds', async () => {
  const { connection, run } = await elsewhere()
  const admin = new Client({ ...inject('postgres'), database: String(connection.database) })
  await admin.connect()
  // The first ALTER TABLE after the rows is the last statement before the commit.
  await admin.query(`
    CREATE FUNCTION stand_still() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN IF to_regclass('portal_user') IS NOT NULL THEN
        IF EXISTS (SELECT FROM portal_user) THEN PERFORM pg_advisory_lock(42); END IF;
      END IF; END $$;
    CREATE EVENT TRIGGER before_the_end ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION stand_still();
    SELECT pg_advisory_lock(42)`)
  const words = ['restore', '--from', file, '--identity-file', identity]
  const env = {
    ...desk.env,
    DATABASE_URL: (desk.env['DATABASE_URL'] ?? '').replace(/[^/]+$/u, String(connection.database)),
  }
  const { process: child, ended } = spawnCommand(words, env)
  const standing = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`
  while ((await admin.query(standing)).rowCount === 0) {
    if (child.exitCode !== null) throw new Error((await ended).stderr)
    await sleep(10)
  }
  child.kill('SIGKILL')
  await ended
  await admin.query('SELECT pg_advisory_unlock(42); DROP EVENT TRIGGER before_the_end; DROP FUNCTION stand_still')
  const left = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`
  while ((await admin.query(left)).rowCount !== 0) await sleep(10)
  await admin.end()
  expect((await dumpDatabase(connection)).shape).toEqual([])
  expect(await run(...words)).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored') })
  expect((await dumpDatabase(connection)).rows['portal_user']).toEqual(
    (await dumpDatabase(desk.app.connection)).rows['portal_user'],
  )
})

test('migrations are listed and run without starting the server', async () => {
  const other = await elsewhere()
  const due = await other.run('migrate', 'status', '--json')
  expect([due.code, due.json<{ state: string }[]>().every(({ state }) => state === 'due')]).toEqual([1, true])
  expect((await other.run('migrate', 'run')).stdout).toContain('Done: 0001_foundation')
  const done = await other.run('migrate', 'status')
  expect([done.code, done.stdout.includes('due')]).toEqual([0, false])
  expect((await other.run('migrate', 'run')).stdout).toContain('up to date')
})

test('restore settle ends sessions after a restore by other means, and refuses while a server runs', async () => {
  await desk.app.as.admin.session()
  const refused = await desk.run('restore', 'settle', '--json')
  expect([refused.code, refused.json()]).toMatchObject([
    1,
    { error: { code: 'inUse', message: expect.stringContaining('--force') } },
  ])
  expect((await desk.app.as.admin.send('GET', '/api/me/security')).status).toBe(200)
  desk.app.clock.advance(5_001)
  const { code, stdout } = await desk.run('restore', 'settle', '--force', '--made-at', '2026-11-20T18:00:00Z')
  expect([code, stdout]).toEqual([0, expect.stringContaining('all users sign in again')])
  expect((await desk.app.as.admin.send('GET', '/api/me/security')).status).toBe(401)
})

test('restore settle needs a store of this version and a valid time', async () => {
  const other = await elsewhere()
  const refused = [
    await other.run('restore', 'settle', '--json'),
    await desk.run('restore', 'settle', '--made-at', 'noon', '--json'),
  ]
  expect(refused.map(({ json }) => json<{ error: { code: string } }>().error.code)).toEqual(['notMigrated', 'time'])
  expect(await desk.run('restore', 'settle', '--force', '--made-at', 'Nov 20, 2026 18:00 UTC')).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(await desk.run('restore', 'settle', '--force', '--made-at', '5')).toMatchObject({ code: 0, stderr: '' })
})
