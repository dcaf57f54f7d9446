import { statfsSync } from 'node:fs'

/** Below this PostgreSQL cannot make the next file of its write-ahead log, which takes 16 MiB, and has little left for anything else. */
const leastBytes = 32 * 1024 * 1024

/** What a process without special rights may still write on the disk of a folder. Throws where there is no such folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** False also where that cannot be told, because the folder has gone. */
export function isDiskFull(folder: string): boolean {
  try {
    return freeBytes(folder) < leastBytes
  } catch {
    return false
  }
}
