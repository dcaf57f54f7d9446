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

interface ServerKeysOptions {
  readonly store: Store
  readonly clock: Clock
  readonly masters: MasterKeyRing
}

export type ServerKeys = ReturnType<typeof openServerKeys>

export function openServerKeys({ store, clock, masters }: ServerKeysOptions) {
  /** Unwrapped keys by id; a key never changes. */
  const opened = new Map<string, Buffer>()
  let known: { readonly keys: readonly RootKey[]; readonly readAt: number } | undefined
  /** The next read, which starts when the current one ends. All callers that wait for a key share it. */
  let next: Promise<readonly RootKey[]> | undefined
  let underWay: Promise<unknown> = Promise.resolve()

  async function fresh(db: Db | undefined): Promise<readonly RootKey[]> {
    return known !== undefined && clock.now() - known.readAt < cacheMs ? known.keys : readAgain(db)
  }

  async function readAgain(db: Db | undefined): Promise<readonly RootKey[]> {
    if (db !== undefined) return keep(db)
    next ??= underWay.then(() => {
      next = undefined
      const reading = store.across((own) => keep(own))
      underWay = reading.catch(() => undefined)
      return reading
    })
    return next
  }

  async function keep(db: Db): Promise<readonly RootKey[]> {
    const readAt = clock.now()
    const keys = await readRootKeys(db, masters, opened)
    known = { keys, readAt }
    return keys
  }

  /** For values without a key id; the newest key first. */
  async function all(purpose: KeyPurpose, db?: Db): Promise<readonly PurposeKey[]> {
    const keys = await fresh(db)
    return keys.filter(({ root }) => root === rootOf(purpose)).map((key) => derive(key, purpose))
  }

  return {
    all,

    /** Creates missing root keys. Throws `WrongMasterKey` if one cannot be unwrapped. */
    async prepare(): Promise<void> {
      // Across, as all reads here: these keys belong to no organisation.
      await store.across(async (db) => {
        await lockForTransaction(db, 'serverKeys')
        const keys = await readRootKeys(db, masters, opened)
        for (const root of roots)
          if (!keys.some((key) => key.root === root)) await insertServerKey(db, { masters, clock }, root)
      })
      known = undefined
    },

    /** The key for new values. @param db the caller's transaction, which avoids waiting for a second connection */
    async newest(purpose: KeyPurpose, db?: Db): Promise<PurposeKey> {
      const [newest] = await all(purpose, db)
      if (newest === undefined) throw new Error(`There is no key for the purpose ${purpose}.`)
      return newest
    },

    /** The key with that id; undefined if it was retired, or without an id. */
    async find(purpose: KeyPurpose, id: string | null, db?: Db): Promise<Buffer | undefined> {
      if (id === null) return undefined
      const isIt = (key: RootKey) => key.id === id && key.root === rootOf(purpose)
      const found = (await fresh(db)).find(isIt) ?? (await readAgain(db)).find(isIt)
      return found === undefined ? undefined : derive(found, purpose).key
    },

    /** Call after a change: this process reads the keys again. Other processes follow within five seconds. */
    invalidate(): void {
      known = undefined
    },
  }
}

/** Creates a root key, effective on commit. The caller must hold the lock `serverKeys`. Returns its id. */
export async function insertServerKey(
  db: Db,
  { masters, clock }: Pick<ServerKeysOptions, 'masters' | 'clock'>,
  root: RootKeyKind,
): Promise<string> {
  const id = randomUUID()
  const { key, version } = masters.wrappingKey()
  const wrapped = encrypt(key, randomBytes(32), keyContextOf({ id, root }))
  await db
    .insertInto('serverKey')
    .values({ id, root, masterVersion: version, wrapped, createdAt: isoTime(clock.now()) })
    .execute()
  return id
}

/** The newest first. @param opened unwrapped keys by id, which it extends */
async function readRootKeys(db: Db, masters: MasterKeyRing, opened: Map<string, Buffer>): Promise<readonly RootKey[]> {
  const rows = await db
    .selectFrom('serverKey')
    .select(['id', 'root', 'masterVersion', 'wrapped'])
    .orderBy('sequence', 'desc')
    .execute()
  return rows.map((row) => {
    const key = opened.get(row.id) ?? decrypt(masters.unwrappingKey(row.masterVersion), row.wrapped, keyContextOf(row))
    opened.set(row.id, key)
    return { id: row.id, root: row.root, key }
  })
}

/** The additional authenticated data of a wrapped key, so that kinds of keys cannot be swapped. */
export function keyContextOf({ id, root }: Pick<RootKey, 'id' | 'root'>): string {
  return ['trb1', 'server_key', 'wrapped', root, id].join('|')
}

function rootOf(purpose: KeyPurpose): RootKeyKind {
  return purpose === 'password' ? 'pepper' : 'signing'
}

function derive({ id, key }: PurposeKey, purpose: KeyPurpose): PurposeKey {
  return { id, key: Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `tributary ${purpose}`, 32)) }
}
