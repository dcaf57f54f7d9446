/** The process in which one file is read. It sends chunks, waits until they are taken, and ends with the list of the sheets. */
import { once } from 'node:events'
import { type FromProcess, fileDescriptor } from './process-messages.ts'
import { readFile } from './read-file.ts'
import { SheetWriter } from './sheet-writer.ts'
import { Unreadable } from './unreadable-file.ts'

const writer = new SheetWriter()

function send(message: FromProcess): void {
  process.send?.(message)
}

async function flush(): Promise<void> {
  for (const chunk of writer.take()) {
    const taken = once(process, 'message')
    send({ chunk })
    await taken
  }
}

try {
  const [answer] = process.argv.slice(2)
  const slashDates = answer === 'dayFirst' || answer === 'monthFirst' ? answer : undefined
  await readFile({ fd: fileDescriptor, slashDates }, writer, flush)
  send({ sheets: writer.summaries })
} catch (error) {
  send(error instanceof Unreadable ? { unreadable: error.message } : { broken: placeOf(error) })
}

function placeOf(error: unknown): string {
  const { name, stack = '' } = error as Error
  const frames = stack.split('\n').filter((line) => /^\s+at /u.test(line))
  return [name, ...frames].join('\n')
}
