import { statfsSync } from 'node:fs'

/** With less free space PostgreSQL may fail to create the next file of its write-ahead log, which takes 16 MiB. */
const leastBytes = 32 * 1024 * 1024

/** Free bytes for unprivileged processes on the disk of a folder. Throws if the folder does not exist. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Returns false, too, if the folder does not exist. */
export function isDiskFull(folder: string): boolean {
  try {
    return freeBytes(folder) < leastBytes
  } catch {
    return false
  }
}
