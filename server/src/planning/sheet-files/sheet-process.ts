/**
 * Entry point of the child process that reads one file. Sends chunks, waits for each acknowledgement, and ends with
 * the list of sheets.
 */
import { once } from 'node:events'
import { type SheetProcessMessage, fileDescriptor } from './process-messages.ts'
import { readFile } from './read-file.ts'
import { SheetWriter } from './sheet-writer.ts'
import { UnreadableFile } from './unreadable-file.ts'

const writer = new SheetWriter()

function send(message: SheetProcessMessage): void {
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
  const [choice] = process.argv.slice(2)
  const slashDates = choice === 'dayFirst' || choice === 'monthFirst' ? choice : undefined
  await readFile({ fd: fileDescriptor, slashDates }, writer, flush)
  send({ sheets: writer.summaries })
} catch (error) {
  send(error instanceof UnreadableFile ? { unreadable: error.message } : { broken: stackWithoutMessage(error) })
}

function stackWithoutMessage(error: unknown): string {
  const { name, stack = '' } = error as Error
  const frames = stack.split('\n').filter((line) => /^\s+at /u.test(line))
  return [name, ...frames].join('\n')
}
