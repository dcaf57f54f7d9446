/**
 * Envelope encryption of secrets at rest. Each organisation has a data key, wrapped by the master key. Ciphertexts are bound to
 * their row, column and organisation, so a moved one does not decrypt.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { type MasterKeyRing, WrongMasterKey } from '../../kernel/config/master-keys.ts'
import { isEncryptedColumn } from '../keys/encrypted-columns.ts'
import { decrypt, encrypt } from '../keys/aes-gcm.ts'
import { type SecretLocation, SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockOutOfOrder } from '../../kernel/store/locks.ts'

export interface Secrets {
  /** Encrypts for one location. */
  encrypt(db: Db, place: SecretLocation, clear: string): Promise<string>
  /** Throws `SecretUnreadable` if the text was encrypted for another location or changed. The clear text is redacted in the log. */
  decrypt(db: Db, place: SecretLocation, sealed: string): Promise<string>
  /** True if the text has the form of an encrypted value. */
  isEncrypted(text: string): boolean
}

/** Returns `otherwise` if the secret is unreadable and the caller has a fallback. */
export async function decryptOr<T, O>(otherwise: O, open: () => Promise<T>): Promise<T | O> {
  try {
    return await open()
  } catch (error) {
    if (error instanceof SecretUnreadable) return otherwise
    throw error
  }
}

interface SecretsOptions {
  readonly masters: MasterKeyRing
  readonly clock: Clock
  /** Receives every clear-text secret, so that the log can redact it. */
  readonly conceal: (secret: string) => void
  /** Receives every unreadable secret. */
  readonly report: (unreadable: SecretUnreadable, place: SecretLocation) => void
}

const form = /^trb1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]+)$/u

export function openSecrets({ masters, clock, conceal, report }: SecretsOptions): Secrets {
  const unwrapped = new Map<string, Buffer>()

  function unwrap(row: DataKey): Buffer {
    const key =
      unwrapped.get(row.id) ?? decrypt(masters.unwrappingKey(row.masterVersion), row.wrapped, dataKeyLocation(row))
    unwrapped.set(row.id, key)
    return key
  }

  async function makeKey(db: Db, organisationId: string | null): Promise<DataKey> {
    await insertDataKey(db, { masters, clock }, organisationId)
    const row = await holdCurrentKey(db, organisationId)
    if (row === undefined) throw new Error('The data key that was just made is not there.')
    return row
  }

  return {
    async encrypt(db, place, clear) {
      if (!isEncryptedColumn(place))
        throw new Error(`${place.table}.${place.column} is not among the columns that hold sealed values.`)
      conceal(clear)
      const row = (await holdCurrentKey(db, place.organisationId)) ?? (await makeKey(db, place.organisationId))
      return `trb1.${row.id}.${encrypt(unwrap(row), Buffer.from(clear, 'utf8'), additionalDataOf(place, row.id))}`
    },
    async decrypt(db, place, sealed) {
      const [, id, text = ''] = form.exec(sealed) ?? []
      const row = id === undefined || unwrapped.has(id) ? undefined : await findKey(db, place.organisationId, id)
      try {
        if (id === undefined) throw new Error('This is not a sealed value.')
        const key = unwrapped.get(id) ?? (row === undefined ? undefined : unwrap(row))
        if (key === undefined) throw new Error('The key of a sealed value is not there.')
        const clear = decrypt(key, text, additionalDataOf(place, id)).toString('utf8')
        conceal(clear)
        return clear
      } catch (error) {
        // Without the master key it is unknown whether the text is valid.
        if (error instanceof WrongMasterKey) throw error
        const unreadable = new SecretUnreadable(place, error)
        report(unreadable, place)
        throw unreadable
      }
    },
    isEncrypted: (text) => form.test(text),
  }
}

interface DataKey {
  readonly id: string
  readonly organisationId: string | null
  readonly masterVersion: number
  readonly wrapped: string
}

const keyColumns = ['id', 'organisationId', 'masterVersion', 'wrapped'] as const

/** Creates a data key, effective on commit. Of concurrent calls for one organisation the first wins. */
export async function insertDataKey(
  db: Db,
  { masters, clock }: Pick<SecretsOptions, 'masters' | 'clock'>,
  organisationId: string | null,
): Promise<void> {
  // Prevents a concurrent command from removing the master key before this key can be wrapped again.
  await lockOutOfOrder(db, 'serverKeys')
  const id = randomUUID()
  const { key, version } = masters.wrappingKey()
  const wrapped = encrypt(key, randomBytes(32), dataKeyLocation({ id, organisationId }))
  await db
    .insertInto('dataKey')
    .values({ id, organisationId, masterVersion: version, wrapped, createdAt: isoTime(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Locks the key's row until the transaction ends, so that it is not deleted while it encrypts a value. */
function holdCurrentKey(db: Db, organisationId: string | null): Promise<DataKey | undefined> {
  return keysOf(db, organisationId).where('retiredAt', 'is', null).forShare().executeTakeFirst()
}

function findKey(db: Db, organisationId: string | null, id: string): Promise<DataKey | undefined> {
  return keysOf(db, organisationId).where('id', '=', id).executeTakeFirst()
}

function keysOf(db: Db, organisationId: string | null) {
  return db
    .selectFrom('dataKey')
    .select(keyColumns)
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
}

function additionalDataOf({ table, column, organisationId, row }: SecretLocation, keyId: string): string {
  return ['trb1', table, column, organisationId ?? '', row, keyId].join('|')
}

/** The location to which a wrapped data key is bound. */
export function dataKeyLocation({
  id,
  organisationId,
}: {
  readonly id: string
  readonly organisationId: string | null
}): string {
  return additionalDataOf({ table: 'data_key', column: 'wrapped', organisationId, row: id }, '')
}
