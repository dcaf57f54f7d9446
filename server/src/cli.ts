/** The command line: what an operator does without the portal. Beside main.ts the only file that touches the process. */
import { runCommand } from './cli/run-command.ts'
import { takeConfig } from './kernel/config/config.ts'
import { describeConfig } from './kernel/config/describe-settings.ts'
import { openLog } from './kernel/log/log.ts'

// Before the secrets are taken out of the environment.
const described = describeConfig(process.env)
// Whoever wrote is told; nobody else needs to be.
process.stdout.on('error', () => undefined)
const remark = (text: string) => void process.stderr.write(text)

process.exitCode = await runCommand(process.argv.slice(2), {
  described,
  reading: takeConfig(),
  // The standard output belongs to the answer.
  log: openLog('warn', remark),
  signal: stopSignal(),
  write: (text) =>
    new Promise((resolve) => process.stdout.write(text, (error) => (isGone(error) ? process.exit(0) : resolve()))),
  output: process.stdout,
  remark,
})

/** The first Ctrl-C ends the command in order, a second one at once. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130)
      stopping.abort()
    })
  return stopping.signal
}

/** Whoever reads an answer may have had enough of it: `tributary … | head`. Half of a backup is none, and fails by itself. */
function isGone(error?: NodeJS.ErrnoException | null): boolean {
  return error?.code === 'EPIPE'
}
