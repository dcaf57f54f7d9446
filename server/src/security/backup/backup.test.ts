/** A backup of a store in use: restored, refused, truncated, changed, opened with a wrong key. */
import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { migrate, readMigrations } from '../../kernel/migrations/migrate.ts'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import { dumpDatabase, queryDatabase } from '@tributary/testing/server/app/database-dump.ts'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { makeBackup } from './make-backup.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { type EncryptionRecipients, makeIdentity, type DecryptionKey } from './age-encryption.ts'

const keys: MasterKeys = { current: randomBytes(32), old: [] }
const home = mkdtempSync(join(tmpdir(), 'tributary-backup-'))
let app: TestApp
let lock: EncryptionRecipients
let unlock: DecryptionKey
let file: string

async function backUp(name: string, connection: ClientConfig = app.connection, by = lock): Promise<string> {
  const path = join(home, name)
  await makeBackup({ connection, keys, lock: by, productVersion: '1.0.0', to: createWriteStream(path) })
  return path
}

/** Creates organisations, each with an area in the same transaction. Returns their number. */
async function writePairs(signal: AbortSignal): Promise<number> {
  let number = 0
  for (; !signal.aborted; number += 1) {
    const named = { companyName: `Moving ${number}`, key: `moving-${number}` }
    await app.store.across(async (db) => {
      const { id } = await db.insertInto('organisation').values(named).returning('id').executeTakeFirstOrThrow()
      await db.insertInto('area').values({ organisationId: id, name: 'One' }).execute()
    })
  }
  return number
}

beforeAll(async () => {
  app = await testApp({ keys })
  const pair = await makeIdentity()
  lock = { recipients: [pair.recipient] }
  unlock = { identities: [pair.identity] }
  // Text that needs escaping in COPY, and a table that references itself.
  await app.store.across((db) =>
    app.services.audit.record(db, systemAuditContext, {
      organisationId: app.harbour.id,
      action: testAction('test.noted'),
      outcome: 'success',
      detail: { text: 'tab\tnewline\nback\\slash \\N ünï 🦀', empty: '' },
    }),
  )
  file = await backUp('whole.backup')
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const archiveOf = (path: string, by = unlock, using = keys) => ({ file: path, unlock: by, keys: using })

describe('a backup', () => {
  test('restores the store row by row, except short-lived data', async () => {
    const other = await createEmptyDatabase()
    await restoreBackup(other, archiveOf(file))
    expect(await dumpDatabase(other)).toEqual(await dumpDatabase(app.connection))
    expect(await queryDatabase(other, 'SELECT count(*)::int AS open FROM session')).toEqual([{ open: 0 }])
  })

  test('is a consistent snapshot while transactions commit', async () => {
    const writer = new AbortController()
    const writing = writePairs(writer.signal)
    const path = await backUp('moving.backup')
    writer.abort()
    const written = await writing
    const other = await createEmptyDatabase()
    // An area whose organisation came after the backup's moment would be refused here.
    await restoreBackup(other, archiveOf(path))
    const [found] = await queryDatabase(
      other,
      `SET tributary.organisation = '*'; SELECT count(*)::int AS pairs, count(area.id)::int AS areas FROM organisation
       LEFT JOIN area ON area.organisation_id = organisation.id WHERE key LIKE 'moving-%'`,
    )
    expect(found?.['areas']).toBe(found?.['pairs'])
    expect(written).toBeGreaterThan(Number(found?.['pairs']))
  })

  test('continues the sequences: the next audit event follows the last', async () => {
    const other = await createEmptyDatabase()
    await restoreBackup(other, archiveOf(file))
    const [row] = await queryDatabase(
      other,
      `SET tributary.organisation = '*'; SELECT nextval(pg_get_serial_sequence('audit_event', 'id'))::int AS next, (SELECT max(id)::int FROM audit_event) AS last`,
    )
    expect(row?.['next']).toBe(Number(row?.['last']) + 1)
  })

  test('decrypts with its passphrase, and is not made with a weak one', async () => {
    const passphrase = 'canary correct horse battery'
    const path = await backUp('phrase.backup', app.connection, { passphrase })
    expect((await checkBackup(archiveOf(path, { passphrase }))).about.productVersion).toBe('1.0.0')
    await expect(checkBackup(archiveOf(path, { passphrase: 'canary another horse' }))).rejects.toThrow(
      /passphrase does not open/,
    )
    await expect(backUp('weak.backup', app.connection, { passphrase: 'short' })).rejects.toThrow(/16 characters/)
  })

  test('contains neither the master key nor clear text', () => {
    const bytes = readFileSync(file)
    for (const text of ['admin@demo.example', 'tributary backup', keys.current.toString('base64')])
      expect(bytes.includes(text)).toBe(false)
    expect(bytes.includes(keys.current)).toBe(false)
  })
})

describe('nothing is written', () => {
  async function refused(archive: Parameters<typeof restoreBackup>[1], sentence: RegExp): Promise<void> {
    const other = await createEmptyDatabase()
    await expect(restoreBackup(other, archive)).rejects.toThrow(sentence)
    expect((await dumpDatabase(other)).shape).toEqual([])
  }

  test('into a database that is not empty', async () => {
    const before = await dumpDatabase(app.connection)
    await expect(restoreBackup(app.connection, archiveOf(file))).rejects.toThrow(/not empty/)
    expect(await dumpDatabase(app.connection)).toEqual(before)
  })

  test('with a wrong identity', async () => {
    const { identity } = await makeIdentity()
    await refused(archiveOf(file, { identities: [identity] }), /identity does not open this backup/)
  })

  test('with another master key; a former key is accepted', async () => {
    const other: MasterKeys = { current: randomBytes(32), old: [] }
    await refused(archiveOf(file, unlock, other), /not made with this master key/)
    expect((await checkBackup(archiveOf(file, unlock, { ...other, old: [keys.current] }))).rows).toBeGreaterThan(10)
  })

  test('of a file that is no backup', async () => {
    const path = join(home, 'letter.txt')
    writeFileSync(path, 'Dear Sir or Madam')
    await refused(archiveOf(path), /no backup of Tributary/)
    writeFileSync(path, '')
    await refused(archiveOf(path), /no backup of Tributary|damaged/)
  })

  test('of a backup that was truncated anywhere', async () => {
    const bytes = readFileSync(file)
    const path = join(home, 'cut.backup')
    for (const share of [0.01, 0.3, 0.6, 0.999]) {
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * share)))
      await expect(checkBackup(archiveOf(path))).rejects.toThrow(/damaged|no backup/)
    }
    writeFileSync(path, bytes.subarray(0, -1))
    await refused(archiveOf(path), /damaged/)
  })

  test('of a backup in which any bit was changed', async () => {
    const path = join(home, 'changed.backup')
    for (let times = 0; times < 12; times += 1) {
      const bytes = readFileSync(file)
      const at = Math.floor((bytes.length * times) / 12)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      writeFileSync(path, bytes)
      await expect(checkBackup(archiveOf(path))).rejects.toThrow(/damaged|no backup|does not open/)
    }
    await refused(archiveOf(path), /damaged/)
  })

  test('of a backup that another party made for the same recipient', async () => {
    const path = join(home, 'forged.backup')
    const forger = { current: randomBytes(32), old: [] }
    await makeBackup({
      connection: app.connection,
      keys: forger,
      lock,
      productVersion: '1.0.0',
      to: createWriteStream(path),
    })
    await refused(archiveOf(path), /not made with this master key/)
  })

  test('of a backup of a newer or modified version', async () => {
    const other = await createEmptyDatabase()
    const former = readMigrations().slice(0, -1)
    await expect(restoreBackup(other, archiveOf(file), former)).rejects.toThrow(/newer Tributary/)
    const changed = readMigrations().map((one) => ({ ...one, checksum: 'other' }))
    await expect(restoreBackup(other, archiveOf(file), changed)).rejects.toThrow(/changed copy/)
    expect((await dumpDatabase(other)).shape).toEqual([])
  })
})

test('a backup of an older version is migrated', async () => {
  const old = await createEmptyDatabase()
  await migrate(old, readMigrations().slice(0, 9))
  const path = await backUp('old.backup', old)
  const other = await createEmptyDatabase()
  await restoreBackup(other, archiveOf(path))
  expect((await dumpDatabase(other)).shape).toEqual((await dumpDatabase(app.connection)).shape)
})
