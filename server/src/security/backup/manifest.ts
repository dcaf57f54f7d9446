/** The header and the manifest of a backup. The manifest is signed with a key that only this installation has. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { BackupRefused, damaged } from './backup-refused.ts'

/** The version of the archive format. The migrations identify the version of the store. */
const formatVersion = 1

const Stored = z.object({ name: z.string(), columns: z.array(z.string()) })

/** The first entry of an archive. */
export const ArchiveHeader = z.object({
  format: z.literal('tributary backup'),
  formatVersion: z.number(),
  productVersion: z.string(),
  /** The backup has everything that was committed before this time, ISO 8601. */
  madeAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In an order in which they can be filled: referenced tables first. */
  tables: z.array(Stored),
  /** The databases of the warehouse, which the backup does not contain. */
  warehouses: z.array(z.string()),
})
export type ArchiveHeader = z.infer<typeof ArchiveHeader>
export type StoredTable = z.infer<typeof Stored>

/** The last entry before the signature. */
export const ArchiveManifest = z.object({
  /** SHA-256 of the first entry. */
  about: z.string(),
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
})
export type ArchiveManifest = z.infer<typeof ArchiveManifest>

export function createHeader(given: Omit<ArchiveHeader, 'format' | 'formatVersion'>): ArchiveHeader {
  return { format: 'tributary backup', formatVersion, ...given }
}

export function parseHeader(bytes: Buffer): ArchiveHeader {
  const about = parsed(ArchiveHeader, bytes)
  if (about.formatVersion > formatVersion)
    throw new BackupRefused(
      `The backup was made by Tributary ${about.productVersion}, in a newer form than this version reads. Restore it with that version or a newer one.`,
    )
  return about
}

export function parseManifest(bytes: Buffer): ArchiveManifest {
  return parsed(ArchiveManifest, bytes)
}

function parsed<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    throw damaged('what it says of itself cannot be read')
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** An HMAC with the master key, because an attacker with access to the backups' storage could place a forged one there. */
export function signManifest(manifest: Buffer, { current }: Pick<MasterKeys, 'current'>): Buffer {
  const key = Buffer.from(hkdfSync('sha256', current, Buffer.alloc(0), 'tributary backup', 32))
  return createHmac('sha256', key).update(manifest).digest()
}

export function hasValidSignature(manifest: Buffer, found: Buffer, { current, old }: MasterKeys): boolean {
  const seals = [current, ...old].map((key) => signManifest(manifest, { current: key }))
  return seals.some((seal) => seal.length === found.length && timingSafeEqual(seal, found))
}
