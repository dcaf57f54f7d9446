/** Where the log goes. A full disk or a reader that has gone costs lines, never the process. */
import { fstatSync, writeSync } from 'node:fs'

const standardOutput = 1

export interface LogOutput {
  /** Whole lines. What cannot be written is dropped. */
  write(text: string): void
  /** How many lines were dropped since the last call. */
  takeLost(): number
}

/** @param file a file descriptor; a file is written at once, anything else by the stream that Node keeps for the standard output. */
export function openLogOutput(file = standardOutput): LogOutput {
  const put = isFile(file) ? (text: string) => writeWhole(file, text) : streamed()
  let lost = 0
  let isTorn = false
  return {
    write(text) {
      try {
        // What fitted of a line that was cut off stays a line of its own.
        put(isTorn ? `\n${text}` : text)
        isTorn = false
      } catch {
        isTorn = true
        lost += text.split('\n').length - 1
      }
    },
    takeLost() {
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

/** Not by the stream: after a write that failed it keeps everything further in memory. */
function writeWhole(file: number, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0;) rest = rest.subarray(writeSync(file, rest))
}

function streamed(): (text: string) => void {
  process.stdout.on('error', () => undefined)
  return (text) => void process.stdout.write(text)
}
