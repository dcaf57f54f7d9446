/**
 * Secrets at rest. Each organisation has a data key, wrapped by the master key; a sealed value is bound to its place, so
 * a ciphertext that is moved to another row, column or organisation does not open.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import { type MasterKeyRing, WrongMasterKey } from '../../kernel/config/master-keys.ts'
import { isSealedColumn } from '../keys/encrypted-columns.ts'
import { decrypt, encrypt } from '../keys/aes-gcm.ts'
import { type SecretLocation, SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import { lockOutOfOrder } from '../../kernel/store/locks.ts'

export interface Secrets {
  /** The text that may be stored in that place. */
  seal(db: Db, place: SecretLocation, clear: string): Promise<string>
  /** Throws `SecretUnreadable` where the text was not sealed for this place, or was changed. The clear text never reaches a log line. */
  open(db: Db, place: SecretLocation, sealed: string): Promise<string>
  /** Whether the text is one that `seal` made. */
  isSealed(text: string): boolean
}

/** What `open` opens; `otherwise` where it cannot be read any more and there is another way than to enter it again. */
export async function openReadableOr<T, O>(otherwise: O, open: () => Promise<T>): Promise<T | O> {
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
  /** Told of every secret that is in the process, so that the log can strike it out. */
  readonly conceal: (secret: string) => void
  /** Told of every place whose secret could not be read. */
  readonly report: (unreadable: SecretUnreadable, place: SecretLocation) => void
}

const form = /^trb1\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]+)$/u

export function openSecrets({ masters, clock, conceal, report }: SecretsOptions): Secrets {
  const unwrapped = new Map<string, Buffer>()

  function unwrap(row: DataKey): Buffer {
    const key =
      unwrapped.get(row.id) ?? decrypt(masters.unwrappingKey(row.masterVersion), row.wrapped, dataKeyPlace(row))
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
    async seal(db, place, clear) {
      if (!isSealedColumn(place))
        throw new Error(`${place.table}.${place.column} is not among the columns that hold sealed values.`)
      conceal(clear)
      const row = (await holdCurrentKey(db, place.organisationId)) ?? (await makeKey(db, place.organisationId))
      return `trb1.${row.id}.${encrypt(unwrap(row), Buffer.from(clear, 'utf8'), boundTo(place, row.id))}`
    },
    async open(db, place, sealed) {
      const [, id, text = ''] = form.exec(sealed) ?? []
      const row = id === undefined || unwrapped.has(id) ? undefined : await findKey(db, place.organisationId, id)
      try {
        if (id === undefined) throw new Error('This is not a sealed value.')
        const key = unwrapped.get(id) ?? (row === undefined ? undefined : unwrap(row))
        if (key === undefined) throw new Error('The key of a sealed value is not there.')
        const clear = decrypt(key, text, boundTo(place, id)).toString('utf8')
        conceal(clear)
        return clear
      } catch (error) {
        // Whether the text is right is not known while its master key is missing.
        if (error instanceof WrongMasterKey) throw error
        const unreadable = new SecretUnreadable(place, error)
        report(unreadable, place)
        throw unreadable
      }
    },
    isSealed: (text) => form.test(text),
  }
}

interface DataKey {
  readonly id: string
  readonly organisationId: string | null
  readonly masterVersion: number
  readonly wrapped: string
}

const keyColumns = ['id', 'organisationId', 'masterVersion', 'wrapped'] as const

/** A data key that seals from the commit on, unless the organisation has one already: then theirs stays, who came first. */
export async function insertDataKey(
  db: Db,
  { masters, clock }: Pick<SecretsOptions, 'masters' | 'clock'>,
  organisationId: string | null,
): Promise<void> {
  // No command takes the key that wraps this one away before it is there to be wrapped anew.
  await lockOutOfOrder(db, 'serverKeys')
  const id = randomUUID()
  const { key, version } = masters.wrappingKey()
  const wrapped = encrypt(key, randomBytes(32), dataKeyPlace({ id, organisationId }))
  await db
    .insertInto('dataKey')
    .values({ id, organisationId, masterVersion: version, wrapped, createdAt: isoTime(clock.now()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Held until the transaction ends: a key that is replaced meanwhile is not taken away while a value is being sealed with it. */
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

function boundTo({ table, column, organisationId, row }: SecretLocation, keyId: string): string {
  return ['trb1', table, column, organisationId ?? '', row, keyId].join('|')
}

/** What a wrapped data key is bound to. */
export function dataKeyPlace({
  id,
  organisationId,
}: {
  readonly id: string
  readonly organisationId: string | null
}): string {
  return boundTo({ table: 'data_key', column: 'wrapped', organisationId, row: id }, '')
}
