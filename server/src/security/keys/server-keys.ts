/**
 * The server's root keys for signatures and for the pepper of passwords. They are in the store, wrapped by the master key, so
 * that all processes share them and follow a rotation within seconds, without a restart.
 */
import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { MasterKeyRing } from '../../kernel/config/master-keys.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

export type RootKeyKind = 'signing' | 'pepper'
const roots: readonly RootKeyKind[] = ['signing', 'pepper']

/** A separate key is derived for each purpose, so that a value for one purpose is invalid for another. */
export type KeyPurpose =
  | 'access token'
  | 'refresh token'
  | 'authorise cookie'
  | 'device cookie'
  | 'throttle'
  | 'verification code'
  | 'captcha'
  | 'installation'
  | 'password'

/** A key for one purpose, and the id of its root key. */
export interface PurposeKey {
  readonly id: string
  readonly key: Buffer
}

interface RootKey extends PurposeKey {
  readonly root: RootKeyKind
}

/** How long a process caches the keys. An unknown key id causes an immediate read. */
const cacheMs = 5_000

export class ServerKeys {
  readonly #store: Store
  readonly #clock: Clock
  readonly #masters: MasterKeyRing
  /** Unwrapped keys by id; a key never changes. */
  readonly #opened = new Map<string, Buffer>()
  #known: { readonly keys: readonly RootKey[]; readonly readAt: number } | undefined
  /** The next read, which starts when the current one ends. All callers that wait for a key share it. */
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

  /** Creates missing root keys. Throws `WrongMasterKey` if one cannot be unwrapped. */
  async prepare(): Promise<void> {
    // Across, as all reads here: these keys belong to no organisation.
    await this.#store.across(async (db) => {
      await lockForTransaction(db, 'serverKeys')
      const keys = await this.#read(db)
      for (const root of roots) if (!keys.some((key) => key.root === root)) await this.create(db, root)
    })
    this.invalidate()
  }

  /** The key for new values. @param db the caller's transaction, which avoids waiting for a second connection */
  async newest(purpose: KeyPurpose, db?: Db): Promise<PurposeKey> {
    const [newest] = await this.all(purpose, db)
    if (newest === undefined) throw new Error(`There is no key for the purpose ${purpose}.`)
    return newest
  }

  /** For values without a key id; the newest key first. */
  async all(purpose: KeyPurpose, db?: Db): Promise<readonly PurposeKey[]> {
    const keys = await this.#fresh(db)
    return keys.filter(({ root }) => root === rootOf(purpose)).map((key) => derive(key, purpose))
  }

  /** The key with that id; undefined if it was retired. */
  async find(purpose: KeyPurpose, id: string, db?: Db): Promise<Buffer | undefined> {
    const isIt = (key: RootKey) => key.id === id && key.root === rootOf(purpose)
    const found = (await this.#fresh(db)).find(isIt) ?? (await this.#again(db)).find(isIt)
    return found === undefined ? undefined : derive(found, purpose).key
  }

  /** Creates a root key, effective on commit. The caller must hold the lock `serverKeys`. Returns its id. */
  async create(db: Db, root: RootKeyKind): Promise<string> {
    const id = randomUUID()
    const { key, version } = this.#masters.wrappingKey()
    const wrapped = encrypt(key, randomBytes(32), keyContextOf({ id, root }))
    await db
      .insertInto('serverKey')
      .values({ id, root, masterVersion: version, wrapped, createdAt: isoTime(this.#clock.now()) })
      .execute()
    return id
  }

  /** Call after a change: this process reads the keys again. Other processes follow within five seconds. */
  invalidate(): void {
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
        this.#opened.get(row.id) ??
        decrypt(this.#masters.unwrappingKey(row.masterVersion), row.wrapped, keyContextOf(row))
      this.#opened.set(row.id, key)
      return { id: row.id, root: row.root, key }
    })
  }
}

/** The additional authenticated data of a wrapped key, so that kinds of keys cannot be swapped. */
export function keyContextOf({ id, root }: { readonly id: string; readonly root: RootKeyKind }): string {
  return ['trb1', 'server_key', 'wrapped', root, id].join('|')
}

function rootOf(purpose: KeyPurpose): RootKeyKind {
  return purpose === 'password' ? 'pepper' : 'signing'
}

function derive({ id, key }: PurposeKey, purpose: KeyPurpose): PurposeKey {
  return { id, key: Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `tributary ${purpose}`, 32)) }
}
