/** What a backup says of itself: at its beginning what is in it, at its end how much, sealed with a key that only this installation has. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { MasterKeys } from '../../kernel/config/master-keys.ts'
import { BackupRefused, damaged } from './backup-refused.ts'

/** Of the archive; the store's own shape is told by its migrations. */
const formatVersion = 1

const Stored = z.object({ name: z.string(), columns: z.array(z.string()) })

/** The first entry of an archive. */
export const About = z.object({
  format: z.literal('tributary backup'),
  formatVersion: z.number(),
  productVersion: z.string(),
  /** All that was committed before this moment is in it, ISO 8601. */
  madeAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** In the order in which they can be filled. */
  tables: z.array(Stored),
  /** The databases of the warehouse, which are not in it. */
  warehouses: z.array(z.string()),
})
export type About = z.infer<typeof About>
export type StoredTable = z.infer<typeof Stored>

/** The last entry but its seal. */
export const Manifest = z.object({
  /** SHA-256 of the first entry. */
  about: z.string(),
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

export function newAbout(given: Omit<About, 'format' | 'formatVersion'>): About {
  return { format: 'tributary backup', formatVersion, ...given }
}

export function parseAbout(bytes: Buffer): About {
  const about = parsed(About, bytes)
  if (about.formatVersion > formatVersion)
    throw new BackupRefused(
      `The backup was made by Tributary ${about.productVersion}, in a newer form than this version reads. Restore it with that version or a newer one.`,
    )
  return about
}

export function parseManifest(bytes: Buffer): Manifest {
  return parsed(Manifest, bytes)
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

/** Whoever can write where backups are kept could put one of their own there; only who has the master key can seal its manifest. */
export function sealOf(manifest: Buffer, { current }: Pick<MasterKeys, 'current'>): Buffer {
  const key = Buffer.from(hkdfSync('sha256', current, Buffer.alloc(0), 'tributary backup', 32))
  return createHmac('sha256', key).update(manifest).digest()
}

export function isSealed(manifest: Buffer, found: Buffer, { current, old }: MasterKeys): boolean {
  const seals = [current, ...old].map((key) => sealOf(manifest, { current: key }))
  return seals.some((seal) => seal.length === found.length && timingSafeEqual(seal, found))
}
