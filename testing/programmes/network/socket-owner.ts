/** Finds the process at the other end of a local connection in Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Returns the process that connected from this local port, if any. */
export function findSocketOwner(localPort: number): number | undefined {
  const inode = inodeOf(localPort)
  if (inode === undefined) return undefined
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((processId) => holds(processId, `socket:[${inode}]`))
}

/** The second column holds local address and port in hexadecimal, the tenth the inode. */
function inodeOf(localPort: number): string | undefined {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return lines.map((line) => line.trim().split(/\s+/)).find(([, local]) => local?.endsWith(`:${port}`))?.[9]
}

function holds(processId: number, name: string): boolean {
  try {
    return readdirSync(`/proc/${processId}/fd`).some((file) => readlinkSync(`/proc/${processId}/fd/${file}`) === name)
  } catch {
    // The process has ended, or has closed a file, since the folder was listed.
    return false
  }
}
