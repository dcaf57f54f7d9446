/** Finds the process at the other end of a local connection in Linux's /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** The ports of a connection as its client sees them. The local one alone is not unique. */
export interface ConnectionPorts {
  readonly localPort: number
  readonly remotePort: number
}

/** Returns the process that opened this connection, if any. */
export function findSocketOwner(ports: ConnectionPorts): number | undefined {
  const inode = inodeOf(ports)
  if (inode === undefined) return undefined
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((processId) => holds(processId, `socket:[${inode}]`))
}

/** The second and third column hold local and remote address and port in hexadecimal, the tenth the inode. */
function inodeOf({ localPort, remotePort }: ConnectionPorts): string | undefined {
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return lines
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(asHex(localPort)) && remote?.endsWith(asHex(remotePort)))?.[9]
}

function asHex(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

function holds(processId: number, name: string): boolean {
  try {
    return readdirSync(`/proc/${processId}/fd`).some((file) => readlinkSync(`/proc/${processId}/fd/${file}`) === name)
  } catch {
    // The process has ended, or has closed a file, since the folder was listed.
    return false
  }
}
