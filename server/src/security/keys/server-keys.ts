/**
 * The server's own keys: the root of everything it signs, and the pepper of passwords. They stand in the store, wrapped by the
 * master key, so that every process has the same ones and follows a rotation within seconds, without a restart.
 */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { MasterKeyRing } from '../../kernel/config/master-keys.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export type Root = 'signing' | 'pepper'
const roots: readonly Root[] = ['signing', 'pepper']

/** Every purpose has a key of its own, so that a value made for one is worth nothing for another. */
export type Purpose =
  | 'access token'
  | 'refresh token'
  | 'authorise cookie'
  | 'device cookie'
  | 'throttle'
  | 'verification code'
  | 'captcha'
  | 'installation'
  | 'password'

/** A key for one purpose, and the id of the one that it was derived from. */
export interface PurposeKey {
  readonly id: string
  readonly key: Buffer
}

interface RootKey extends PurposeKey {
  readonly root: Root
}

/** How long a process goes by what it knows. What was made with a key that it has not seen yet, it looks up at once. */
const cacheMs = 5_000

export class ServerKeys {
  readonly #store: Store
  readonly #clock: Clock
  readonly #masters: MasterKeyRing
  /** Unwrapped, by id: a key never changes. */
  readonly #opened = new Map<string, Buffer>()
  #known: { readonly keys: readonly RootKey[]; readonly readAt: number } | undefined
  /** The next reading, which begins when the one under way has ended; all who wait for a key meanwhile share it. */
  #next: Promise<readonly RootKey[]> | undefined
  #underWay: Promise<unknown> = Promise.resolve()

  constructor({
    store,
    clock,
    masters,
  }: {
    readonly store: Store
    readonly clock: Clock
    readonly masters: MasterKeyRing
  }) {
    this.#store = store
    this.#clock = clock
    this.#masters = masters
  }

  /** Makes the first key of each root where there is none. Throws `WrongMasterKey` where one does not open. */
  async prepare(): Promise<void> {
    // Across, as every reading here: these keys belong to no organisation.
    await this.#store.across(async (db) => {
      await lockForTransaction(db, 'serverKeys')
      const keys = await this.#read(db)
      for (const root of roots) if (!keys.some((key) => key.root === root)) await this.make(db, root)
    })
    this.forget()
  }

  /** For what is made now. @param db of the caller's transaction, so that it waits for no second connection. */
  async newest(purpose: Purpose, db?: Db): Promise<PurposeKey> {
    const [newest] = await this.all(purpose, db)
    if (newest === undefined) throw new Error(`There is no key for the purpose ${purpose}.`)
    return newest
  }

  /** For what does not say which key it was made with; the newest first. */
  async all(purpose: Purpose, db?: Db): Promise<readonly PurposeKey[]> {
    const keys = await this.#fresh(db)
    return keys.filter(({ root }) => root === rootOf(purpose)).map((key) => derive(key, purpose))
  }

  /** For what was made with that one; undefined once it is retired. */
  async find(purpose: Purpose, id: string, db?: Db): Promise<Buffer | undefined> {
    const isIt = (key: RootKey) => key.id === id && key.root === rootOf(purpose)
    const found = (await this.#fresh(db)).find(isIt) ?? (await this.#again(db)).find(isIt)
    return found === undefined ? undefined : derive(found, purpose).key
  }

  /** A new key of that root, from the commit on; the lock `serverKeys` comes first. Answers its id. */
  async make(db: Db, root: Root): Promise<string> {
    const id = randomUUID()
    const { key, version } = this.#masters.wrappingKey()
    const wrapped = encrypt(key, randomBytes(32), placeOf({ id, root }))
    await db
      .insertInto('serverKey')
      .values({ id, root, masterVersion: version, wrapped, createdAt: isoTime(this.#clock.now()) })
      .execute()
    return id
  }

  /** This process changed them: they are read anew. Others follow within five seconds. */
  forget(): void {
    this.#known = undefined
  }

  async #fresh(db: Db | undefined): Promise<readonly RootKey[]> {
    const known = this.#known
    return known !== undefined && this.#clock.now() - known.readAt < cacheMs ? known.keys : this.#again(db)
  }

  async #again(db: Db | undefined): Promise<readonly RootKey[]> {
    if (db !== undefined) return this.#keep(db)
    this.#next ??= this.#underWay.then(() => {
      this.#next = undefined
      const reading = this.#store.across((own) => this.#keep(own))
      this.#underWay = reading.catch(() => undefined)
      return reading
    })
    return this.#next
  }

  async #keep(db: Db): Promise<readonly RootKey[]> {
    const readAt = this.#clock.now()
    const keys = await this.#read(db)
    this.#known = { keys, readAt }
    return keys
  }

  async #read(db: Db): Promise<readonly RootKey[]> {
    const rows = await db
      .selectFrom('serverKey')
      .select(['id', 'root', 'masterVersion', 'wrapped'])
      .orderBy('sequence', 'desc')
      .execute()
    return rows.map((row) => {
      const key =
        this.#opened.get(row.id) ?? decrypt(this.#masters.unwrappingKey(row.masterVersion), row.wrapped, placeOf(row))
      this.#opened.set(row.id, key)
      return { id: row.id, root: row.root, key }
    })
  }
}

/** What a wrapped key is bound to: a signing key in the place of a pepper does not open. */
export function placeOf({ id, root }: { readonly id: string; readonly root: Root }): string {
  return ['trb1', 'server_key', 'wrapped', root, id].join('|')
}

function rootOf(purpose: Purpose): Root {
  return purpose === 'password' ? 'pepper' : 'signing'
}

function derive({ id, key }: PurposeKey, purpose: Purpose): PurposeKey {
  return { id, key: Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `tributary ${purpose}`, 32)) }
}
