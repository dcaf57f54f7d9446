/** The command line: what an operator does without the portal. Only this file and main.ts touch the process. */
import { runCommand } from './cli/run-command.ts'
import { takeConfig } from './kernel/config/config.ts'
import { describeConfig } from './kernel/config/describe-settings.ts'
import { openLog } from './kernel/log/log.ts'

// Runs before `takeConfig` removes the secrets from the environment.
const described = describeConfig(process.env)
// The writer handles the error; without this listener the process would crash.
process.stdout.on('error', () => undefined)
const writeRemark = (text: string) => void process.stderr.write(text)

process.exitCode = await runCommand(process.argv.slice(2), {
  described,
  configResult: takeConfig(),
  // The standard output is reserved for the result.
  log: openLog('warn', writeRemark),
  signal: stopSignal(),
  write: (text) =>
    new Promise((resolve) =>
      process.stdout.write(text, (error) => (isClosedPipe(error) ? process.exit(0) : resolve())),
    ),
  output: process.stdout,
  remark: writeRemark,
})

/** The first Ctrl-C ends the command in order, a second one immediately. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130)
      stopping.abort()
    })
  return stopping.signal
}

/**
 * The reader of the output may close it early: `tributary … | head`. Backups write to the output without this check and
 * fail, because a partial backup cannot be restored.
 */
function isClosedPipe(error?: NodeJS.ErrnoException | null): boolean {
  return error?.code === 'EPIPE'
}
