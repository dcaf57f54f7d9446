import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keyVersion, type MasterKeys } from './keys.ts'
import { openLog } from './log.ts'
import { openSecrets, WrongMasterKey, type Place, type Secrets } from './secrets.ts'
import { testApp, type TestApp } from './testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const canary = 'canary-"quoted"-password-4711'

function placeOf(organisationId: string): Place {
  return { organisationId, table: 'connector_property', column: 'value.password', row: 'connector-1' }
}
function seal(secrets: Secrets, place: Place, clear = canary): Promise<string> {
  return app.store.within(place.organisationId ?? '', (db) => secrets.seal(db, place, clear))
}
function open(secrets: Secrets, place: Place, sealed: string): Promise<string> {
  return app.store.within(place.organisationId ?? '', (db) => secrets.open(db, place, sealed))
}
function secretsOf(keys: MasterKeys): Secrets {
  return openSecrets({ keys, clock: app.clock, conceal: () => undefined })
}

test('a secret opens where it was sealed, and its text tells nothing of it', async () => {
  const { secrets } = app.parts
  const place = placeOf(app.harbour.id)
  const sealed = await seal(secrets, place)
  expect(sealed).toMatch(/^trb1\./u)
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('canary')).toBe(false)
  expect(secrets.isSealed(sealed)).toBe(true)
  expect(await open(secrets, place, sealed)).toBe(canary)
  expect(await seal(secrets, place)).not.toBe(sealed)
})

test('a ciphertext moved to another row, column, table or organisation does not open', async () => {
  const { secrets } = app.parts
  const place = placeOf(app.harbour.id)
  const sealed = await seal(secrets, place)
  await seal(secrets, placeOf(app.summit.id))
  const elsewhere = [{ row: 'connector-2' }, { column: 'value.user' }, { table: 'warehouse' }, { organisationId: app.summit.id }]
  for (const change of elsewhere)
    await expect(open(secrets, { ...place, ...change }, sealed)).rejects.toThrow(/key of a sealed value|authenticate/u)
})

test('a ciphertext that was changed by one bit, or cut short, does not open', async () => {
  const { secrets } = app.parts
  const place = placeOf(app.harbour.id)
  const [prefix, id, text = ''] = (await seal(secrets, place)).split('.')
  const bytes = Buffer.from(text, 'base64url')
  for (const at of [0, 14, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    await expect(open(secrets, place, `${prefix}.${id}.${changed.toString('base64url')}`)).rejects.toThrow('authenticate')
  }
  await expect(open(secrets, place, `${prefix}.${id}.${text.slice(0, 20)}`)).rejects.toThrow('cut short')
})

test('after the master key is changed everything stays readable, and the former key is needed no more', async () => {
  const [former, current] = [randomBytes(32), randomBytes(32)]
  await using other = await testApp({ keys: { current: former, old: [] } })
  const place = placeOf(other.harbour.id)
  const sealed = await other.store.within(other.harbour.id, (db) => other.parts.secrets.seal(db, place, canary))

  const changed = secretsOf({ current, old: [former] })
  expect(await other.store.within(other.harbour.id, (db) => changed.open(db, place, sealed))).toBe(canary)
  expect(await changed.rewrap(other.store)).toBe(1)
  const versions = await other.store.across((db) => db.selectFrom('dataKey').select('masterVersion').execute())
  expect(versions).toEqual([{ masterVersion: keyVersion(current) }])
  expect(await other.store.within(other.harbour.id, (db) => secretsOf({ current, old: [] }).open(db, place, sealed))).toBe(canary)
  await expect(
    other.store.within(other.harbour.id, (db) => secretsOf({ current: former, old: [] }).open(db, place, sealed)),
  ).rejects.toThrow(WrongMasterKey)
  await expect(secretsOf({ current: former, old: [] }).rewrap(other.store)).rejects.toThrow(WrongMasterKey)
})

test('two who seal an organisation’s first secret at once use one key', async () => {
  await using other = await testApp()
  const place = placeOf(other.summit.id)
  const sealAlone = () =>
    other.store.within(other.summit.id, (db) =>
      openSecrets({ keys: { current: Buffer.alloc(32, 7), old: [] }, clock: other.clock, conceal: () => undefined }).seal(
        db,
        place,
        canary,
      ),
    )
  await Promise.all(Array.from({ length: 6 }, sealAlone))
  const keys = await other.store.across((db) => db.selectFrom('dataKey').select('id').execute())
  expect(keys).toHaveLength(1)
})

test('a secret that was sealed or opened is struck out of every log line, however it is written there', async () => {
  const lines: string[] = []
  const log = openLog('info', (line) => lines.push(line))
  const secrets = openSecrets({ keys: { current: randomBytes(32), old: [] }, clock: app.clock, conceal: (secret) => log.conceal(secret) })
  await app.store.across((db) => db.deleteFrom('dataKey').execute())
  await seal(secrets, placeOf(app.harbour.id))
  log.error('failed', {
    host: canary,
    error: new Error(`login of ${canary} failed`, { cause: new Error(JSON.stringify({ password: canary })) }),
  })
  expect(lines.join('')).toContain('[secret]')
  expect(lines.join('')).not.toContain('4711')
})
