/** The log's output. A full disk or a closed pipe loses lines but never ends the process. */
import { fstatSync, writeSync } from 'node:fs'

const standardOutput = 1

export interface LogOutput {
  /** @param text complete lines. Lines that cannot be written are dropped. */
  write(text: string): void
  /** The number of lines dropped since the last call. */
  takeLostCount(): number
}

/** @param file a file descriptor. Files are written synchronously, everything else through Node's stdout stream. */
export function openLogOutput(file = standardOutput): LogOutput {
  const put = isFile(file) ? (text: string) => writeWhole(file, text) : streamed()
  let lost = 0
  let isTorn = false
  return {
    write(text) {
      try {
        // Ends the partial line that the last write left.
        put(isTorn ? `\n${text}` : text)
        isTorn = false
      } catch {
        isTorn = true
        lost += text.split('\n').length - 1
      }
    },
    takeLostCount() {
      const count = isTorn ? 0 : lost
      lost -= count
      return count
    },
  }
}

function isFile(file: number): boolean {
  try {
    return fstatSync(file).isFile()
  } catch {
    return false
  }
}

/** Not through the stream, which buffers all later writes in memory after a failed one. */
function writeWhole(file: number, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(file, rest))
}

function streamed(): (text: string) => void {
  process.stdout.on('error', () => undefined)
  return (text) => void process.stdout.write(text)
}
