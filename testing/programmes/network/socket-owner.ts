/** Which process holds the other end of a connection on this machine, as Linux tells it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The process that dialled from this local port; undefined where it has none. */
export function ownerOf(localPort: number): number | undefined {
  const inode = inodeOf(localPort)
  if (inode === undefined) return undefined
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((processId) => holds(processId, `socket:[${inode}]`))
}

/** Local address and port stand in the second column, in hexadecimal; the inode in the tenth. */
function inodeOf(localPort: number): string | undefined {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0')
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return lines.map((line) => line.trim().split(/\s+/)).find(([, local]) => local?.endsWith(`:${port}`))?.[9]
}

function holds(processId: number, name: string): boolean {
  try {
    return readdirSync(`/proc/${processId}/fd`).some((file) => readlinkSync(`/proc/${processId}/fd/${file}`) === name)
  } catch {
    // It has ended, or a file of it has been closed, since its name was read.
    return false
  }
}
