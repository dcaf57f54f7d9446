/** Where the databases of tests keep their files. */
import { mkdtempSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, which Linux has. */
const memory = '/dev/shm'
/** Several times what all tests together keep there at one time. */
const roomNeeded = 8 * 2 ** 30

/**
 * Creates a folder in memory if there is room, else in the folder for temporary files. Each test has a database of hundreds of files, and on
 * a disk a quarter of the time goes into creating and deleting them.
 */
export function createDataFolder(prefix: string): string {
  return mkdtempSync(join(hasRoom() ? memory : tmpdir(), prefix))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) >= roomNeeded
  } catch {
    return false
  }
}
