/**
 * Secrets at rest. Each organisation has a data key, wrapped by the master key; a sealed value is bound to its place, so
 * a ciphertext that is moved to another row, column or organisation does not open.
 */
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto'
import { isoTime, type Clock } from './clock.ts'
import { keyVersion, type MasterKeys } from './keys.ts'
import type { Db, Store } from './store.ts'

/** Where a sealed value lives. `organisationId` null: the platform's own. */
export interface Place {
  readonly organisationId: string | null
  readonly table: string
  readonly column: string
  readonly row: string
}

export interface Secrets {
  /** The text that may be stored in that place. */
  seal(db: Db, place: Place, clear: string): Promise<string>
  /** Throws where the text was not sealed for this place, or was changed. The clear text never reaches a log line. */
  open(db: Db, place: Place, sealed: string): Promise<string>
  /** Whether the text is one that `seal` made. */
  isSealed(text: string): boolean
  /** Wraps every data key anew that is wrapped by a former master key. Throws `WrongMasterKey` where none of ours opens one. */
  rewrap(store: Store): Promise<number>
}

export class WrongMasterKey extends Error {
  override readonly name = 'WrongMasterKey'
}

interface SecretsOptions {
  readonly keys: MasterKeys
  readonly clock: Clock
  /** Told of every secret that is in the process, so that the log can strike it out. */
  readonly conceal: (secret: string) => void
}

const prefix = 'trb1.'

export function openSecrets({ keys, clock, conceal }: SecretsOptions): Secrets {
  const masters = new Map([keys.current, ...keys.old].map((key) => [keyVersion(key), key]))
  const masterVersion = keyVersion(keys.current)
  const unwrapped = new Map<string, Buffer>()

  function unwrap(row: DataKey): Buffer {
    const master = masters.get(row.masterVersion)
    if (master === undefined) throw new WrongMasterKey('The master key is not the one that the stored secrets were sealed with.')
    return decrypt(master, row.wrapped, wrappingPlace(row))
  }

  async function dataKey(db: Db, organisationId: string | null, id?: string): Promise<{ id: string; key: Buffer }> {
    const known = id === undefined ? undefined : unwrapped.get(id)
    if (id !== undefined && known !== undefined) return { id, key: known }
    const row = (await findKey(db, organisationId, id)) ?? (id === undefined ? await makeKey(db, organisationId) : undefined)
    if (row === undefined) throw new Error('The key of a sealed value is not there.')
    const key = unwrap(row)
    unwrapped.set(row.id, key)
    return { id: row.id, key }
  }

  async function makeKey(db: Db, organisationId: string | null): Promise<DataKey | undefined> {
    const id = randomUUID()
    const wrapped = encrypt(keys.current, randomBytes(32), wrappingPlace({ id, organisationId }))
    await db
      .insertInto('dataKey')
      .values({ id, organisationId, masterVersion, wrapped, createdAt: isoTime(clock.now()) })
      // Somebody else may have made the organisation's key in the meantime: then theirs is read.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return findKey(db, organisationId)
  }

  return {
    async seal(db, place, clear) {
      conceal(clear)
      const { id, key } = await dataKey(db, place.organisationId)
      return `${prefix}${id}.${encrypt(key, Buffer.from(clear, 'utf8'), boundTo(place, id))}`
    },
    async open(db, place, sealed) {
      const [id, text] = sealed.slice(prefix.length).split('.')
      if (!sealed.startsWith(prefix) || id === undefined || text === undefined) throw new Error('This is not a sealed value.')
      const { key } = await dataKey(db, place.organisationId, id)
      const clear = decrypt(key, text, boundTo(place, id)).toString('utf8')
      conceal(clear)
      return clear
    },
    isSealed: (text) => text.startsWith(prefix),
    // Across: the keys of all organisations are wrapped by the one master key.
    rewrap: (store) =>
      store.across(async (db) => {
        const rows = await db.selectFrom('dataKey').select(keyColumns).where('masterVersion', '!=', masterVersion).forUpdate().execute()
        for (const row of rows) {
          const wrapped = encrypt(keys.current, unwrap(row), wrappingPlace(row))
          await db.updateTable('dataKey').set({ wrapped, masterVersion }).where('id', '=', row.id).execute()
        }
        return rows.length
      }),
  }
}

interface DataKey {
  readonly id: string
  readonly organisationId: string | null
  readonly masterVersion: number
  readonly wrapped: string
}

const keyColumns = ['id', 'organisationId', 'masterVersion', 'wrapped'] as const

/** By its id, or the organisation's current one. */
function findKey(db: Db, organisationId: string | null, id?: string): Promise<DataKey | undefined> {
  const keys = db
    .selectFrom('dataKey')
    .select(keyColumns)
    .where('organisationId', organisationId === null ? 'is' : '=', organisationId)
  return (id === undefined ? keys.where('retiredAt', 'is', null) : keys.where('id', '=', id)).executeTakeFirst()
}

function boundTo({ table, column, organisationId, row }: Place, keyId: string): string {
  return ['trb1', table, column, organisationId ?? '', row, keyId].join('|')
}

function wrappingPlace({ id, organisationId }: { id: string; organisationId: string | null }): string {
  return boundTo({ table: 'data_key', column: 'wrapped', organisationId, row: id }, '')
}

/** AES-256-GCM: 12 bytes of nonce, the ciphertext, 16 bytes of tag, in base64url. */
function encrypt(key: Buffer, clear: Buffer, bound: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound, 'utf8'))
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, text: string, bound: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < 28) throw new Error('A sealed value is cut short.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(bound, 'utf8')).setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()])
}
