import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SecretUnreadable, type SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { keyVersion, type MasterKeys, createMasterKeyRing, WrongMasterKey } from '../../kernel/config/master-keys.ts'
import { reWrapAll } from '../keys/re-wrap-keys.ts'
import { encrypt } from '../keys/aes-gcm.ts'
import { openLog } from '../../kernel/log/log.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const canary = 'canary-"quoted"-password-4711'

function placeOf(organisationId: string | null): SecretLocation {
  return {
    organisationId,
    table: 'connector_property',
    column: 'value',
    row: 'connector-1/source.connectionString/password',
  }
}
function inPlace<T>(place: SecretLocation, work: Parameters<typeof app.store.across<T>>[0], of = app): Promise<T> {
  // Across: the platform's secrets belong to no organisation.
  return place.organisationId === null ? of.store.across(work) : of.store.within(place.organisationId, work)
}
function seal(secrets: Secrets, place: SecretLocation, clear = canary): Promise<string> {
  return inPlace(place, (db) => secrets.encrypt(db, place, clear))
}
function open(secrets: Secrets, place: SecretLocation, sealed: string): Promise<string> {
  return inPlace(place, (db) => secrets.decrypt(db, place, sealed))
}
function secretsOf(keys: MasterKeys): Secrets {
  return openSecrets({
    masters: createMasterKeyRing(keys),
    clock: app.clock,
    conceal: () => undefined,
    report: () => undefined,
  })
}

test('a secret decrypts at its location, and its ciphertext reveals nothing', async () => {
  const { secrets } = app.services
  const place = placeOf(app.harbour.id)
  const sealed = await seal(secrets, place)
  expect(sealed).toMatch(/^trb1\./u)
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes('canary')).toBe(false)
  expect(secrets.isEncrypted(sealed)).toBe(true)
  expect(await open(secrets, place, sealed)).toBe(canary)
  expect(await seal(secrets, place)).not.toBe(sealed)
})

test('a ciphertext moved to another row, column, table, purpose or organisation does not decrypt', async () => {
  const { secrets } = app.services
  const places = [app.harbour.id, app.summit.id, null].map(placeOf)
  for (const place of places) {
    const sealed = await seal(secrets, place)
    const elsewhere = [
      { row: 'connector-2/source.connectionString/password' },
      { row: 'connector-1/source.connectionString/user' },
      { row: 'connector-1/source.connectionString/password|' },
      { column: 'name' },
      { table: 'warehouse' },
      { table: 'mail', column: 'body' },
      ...places.filter(({ organisationId }) => organisationId !== place.organisationId),
    ]
    for (const change of elsewhere)
      await expect(open(secrets, { ...place, ...change }, sealed)).rejects.toThrow(SecretUnreadable)
    expect(await open(secrets, place, sealed)).toBe(canary)
  }
})

test('a ciphertext with any changed bit does not decrypt', async () => {
  const { secrets } = app.services
  const place = placeOf(app.harbour.id)
  const sealed = await seal(secrets, place)
  const [prefix, id, text = ''] = sealed.split('.')
  const bytes = Buffer.from(text, 'base64url')
  await app.store.within(app.harbour.id, async (db) => {
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await expect(secrets.decrypt(db, place, `${prefix}.${id}.${changed.toString('base64url')}`)).rejects.toThrow(
        SecretUnreadable,
      )
    }
    for (let length = 0; length < sealed.length; length += 1)
      await expect(secrets.decrypt(db, place, sealed.slice(0, length))).rejects.toThrow(SecretUnreadable)
  })
})

test('other keys, other versions and other text do not decrypt', async () => {
  const { secrets } = app.services
  const place = placeOf(app.harbour.id)
  const sealed = await seal(secrets, place)
  const other = await seal(secrets, placeOf(app.summit.id))
  const [, id = '', text = ''] = sealed.split('.')
  const [, otherId = ''] = other.split('.')
  const forged = encrypt(
    randomBytes(32),
    Buffer.from('forged'),
    `trb1|${place.table}|${place.column}|${app.harbour.id}|${place.row}|${id}`,
  )
  const wrong = fc.oneof(
    fc.constantFrom(
      `trb1.${otherId}.${text}`,
      `trb1.${randomUUID()}.${text}`,
      `trb0.${id}.${text}`,
      `trb2.${id}.${text}`,
      `TRB1.${id}.${text}`,
      `trb1.${id}.${forged}`,
      `trb1.${id}.${text}=`,
      `trb1.${id}.${text}.${text}`,
      `${sealed}\n`,
      other,
      canary,
    ),
    fc
      .tuple(fc.nat(sealed.length - 1), fc.string({ minLength: 1, maxLength: 3 }))
      .map(([at, put]) => sealed.slice(0, at) + put + sealed.slice(at + 1)),
    fc.string(),
  )
  await app.store.within(app.harbour.id, (db) =>
    fc.assert(
      fc.asyncProperty(
        wrong.filter((one) => one !== sealed),
        async (one) => {
          await expect(secrets.decrypt(db, place, one)).rejects.toThrow(SecretUnreadable)
        },
      ),
      { numRuns: 1_000 },
    ),
  )
})

test('a data key that was changed, or swapped with another organisation’s, decrypts nothing', async () => {
  await using other = await testApp()
  const [one, two] = [placeOf(other.harbour.id), placeOf(other.summit.id)]
  const sealed = await inPlace(one, (db) => other.services.secrets.encrypt(db, one, canary), other)
  await inPlace(two, (db) => other.services.secrets.encrypt(db, two, canary), other)
  const keys = await other.store.across((db) => db.selectFrom('dataKey').selectAll().execute())
  const ofTwo = keys.find(({ organisationId }) => organisationId === other.summit.id)
  const ofOne = keys.find(({ organisationId }) => organisationId === other.harbour.id)
  for (const wrapped of [
    ofTwo?.wrapped ?? '',
    ofOne?.wrapped.replace(/^./u, (first) => (first === 'A' ? 'B' : 'A')) ?? '',
    'short',
  ]) {
    await other.store.across((db) =>
      db
        .updateTable('dataKey')
        .set({ wrapped })
        .where('id', '=', ofOne?.id ?? '')
        .execute(),
    )
    // This process has not unwrapped the key yet.
    await using another = await testApp({ sharesDatabaseWith: other })
    await expect(inPlace(one, (db) => another.services.secrets.decrypt(db, one, sealed), another)).rejects.toThrow(
      SecretUnreadable,
    )
  }
})

test('an unreadable secret is logged with its location and without its text', async () => {
  const place = placeOf(app.harbour.id)
  const sealed = await seal(app.services.secrets, place)
  const before = app.logLines.length
  await expect(open(app.services.secrets, { ...place, row: 'connector-2' }, sealed)).rejects.toThrow(
    'Enter it again and save.',
  )
  const line = app.logLines.slice(before).join('')
  expect(line).toContain('a stored secret cannot be read')
  expect(line).toContain(`connector_property.value of connector-2, organisation ${app.harbour.id}`)
  expect(line).not.toContain('4711')
  expect(line).not.toContain(sealed.split('.')[2])
})

test('after a change of the master key all secrets are readable without the former key', async () => {
  const [former, current] = [randomBytes(32), randomBytes(32)]
  await using other = await testApp({ keys: { current: former, old: [] } })
  const place = placeOf(other.harbour.id)
  const sealed = await inPlace(place, (db) => other.services.secrets.encrypt(db, place, canary), other)
  const openWith = (keys: MasterKeys) => inPlace(place, (db) => secretsOf(keys).decrypt(db, place, sealed), other)
  const rewrapWith = (keys: MasterKeys) => reWrapAll({ store: other.store, masters: createMasterKeyRing(keys) })

  expect(await openWith({ current, old: [former] })).toBe(canary)
  // The organisation's data key, the signing key and the pepper.
  expect(await rewrapWith({ current, old: [former] })).toBe(3)
  const versions = await other.store.across(async (db) => [
    ...(await db.selectFrom('dataKey').select('masterVersion').execute()),
    ...(await db.selectFrom('serverKey').select('masterVersion').execute()),
  ])
  expect(versions).toEqual([1, 2, 3].map(() => ({ masterVersion: keyVersion(current) })))
  expect(await openWith({ current, old: [] })).toBe(canary)
  await expect(openWith({ current: former, old: [] })).rejects.toThrow(WrongMasterKey)
  await expect(rewrapWith({ current: former, old: [] })).rejects.toThrow(WrongMasterKey)
})

test('concurrent first secrets of an organisation use one key', async () => {
  await using other = await testApp()
  const place = placeOf(other.summit.id)
  const sealAlone = () => inPlace(place, (db) => other.services.secrets.encrypt(db, place, canary), other)
  await Promise.all(Array.from({ length: 6 }, sealAlone))
  const keys = await other.store.across((db) => db.selectFrom('dataKey').select('id').execute())
  expect(keys).toHaveLength(1)
})

test('encrypted and decrypted secrets are redacted in every log line, in every notation', async () => {
  const lines: string[] = []
  const log = openLog('info', (line) => lines.push(line))
  const masters = createMasterKeyRing({ current: randomBytes(32), old: [] })
  const secrets = openSecrets({
    masters,
    clock: app.clock,
    conceal: (secret) => log.redactSecret(secret),
    report: () => undefined,
  })
  await app.store.across((db) => db.deleteFrom('dataKey').execute())
  await seal(secrets, placeOf(app.harbour.id))
  log.error('failed', {
    host: canary,
    error: new Error(`login of ${canary} failed`, { cause: new Error(JSON.stringify({ password: canary })) }),
  })
  expect(lines.join('')).toContain('[secret]')
  expect(lines.join('')).not.toContain('4711')
})
