/** The entry of the server: starts it, and stops it on signals. Only this file and cli.ts touch the process. */
import { takeConfig, type Config } from './kernel/config/config.ts'
import { redactConfigSecrets } from './kernel/log/redact-config-secrets.ts'
import { consoleLine } from './kernel/log/log-format.ts'
import { parseDatabaseUrl } from './kernel/store/database-url.ts'
import { openLog, type Log } from './kernel/log/log.ts'
import { findStoreProblems } from './kernel/store/production-checks.ts'
import { createSetupCode } from './identity/people/setup-code.ts'
import { StartRefused } from './kernel/start-error.ts'
import { startServer, type RunningServer } from './start.ts'
import { trialPassword, trialPeople } from './trial/people.ts'

/** Signals within this time count as one: the terminal and a parent process may both send it. */
const sameSignalMs = 1_000

const { config, problems } = takeConfig()
try {
  await requireStartable()
  const log = openLog(config.logLevel, undefined, { role: config.role, form: config.logForm })
  redactConfigSecrets(log, config)
  const starting = startServer(config, log, waitForPages())
  const stop = stopOnce(config, starting)
  stopOnUncaughtError(log, stop)
  stopOnSignal(config, stop)
  await printReady(await starting)
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(consoleLine(config, 'error', error.message))
  process.exitCode = 1
}

/** The parent process builds the pages meanwhile, and reports whether it could (tools/boot/start.mjs). */
function waitForPages(): Promise<boolean> {
  if (!process.argv.includes('--wait-for-pages')) return Promise.resolve(true)
  return new Promise((resolve) => {
    process.once('disconnect', () => resolve(false))
    process.once('message', (isBuilt) => {
      resolve(isBuilt === true)
      process.disconnect()
    })
  })
}

/** Throws `StartRefused` with all problems at once, so that an operator can fix them in one step. */
async function requireStartable(): Promise<void> {
  const storeProblems =
    config.mode === 'production' && config.databaseUrl !== null && URL.canParse(config.databaseUrl)
      ? await findStoreProblems(
          parseDatabaseUrl(config.databaseUrl),
          trialPeople.map(({ emailAddress }) => emailAddress),
        )
      : []
  const all = [...problems, ...storeProblems]
  if (all.length === 0) return
  if (all.length === 1) throw new StartRefused(`Tributary does not start: ${all[0]}`)
  throw new StartRefused(`Tributary does not start:\n${all.map((problem) => `  - ${problem}`).join('\n')}`)
}

async function printReady({ services }: RunningServer): Promise<void> {
  if (config.mode === 'trial') {
    const accounts = trialPeople.map(({ emailAddress, role }) => `  ${emailAddress.padEnd(28)} ${role}`)
    return print(
      [
        `Tributary is ready: ${config.publicUrl}\n`,
        `Trial mode, with demonstration data. Sign in with the password ${trialPassword} as`,
        ...accounts,
        `\nNo mail leaves a trial. Read it at ${config.publicUrl}/mailbox`,
        `The data is in ${config.dataDir}. Stop with Ctrl-C.`,
      ].join('\n'),
    )
  }
  print(`Tributary is ready: ${config.publicUrl}`)
  // A new code invalidates the previous one, so a worker, which cannot accept codes, creates none.
  if (config.role === 'worker') return
  const code = await createSetupCode(services.store, services.clock)
  if (code === null) return
  print(
    `There is no superadmin yet. Open ${config.publicUrl}/setup and enter this code within an hour; it works once: ${code}`,
  )
}

function print(text: string): void {
  console.log(consoleLine(config, 'info', text))
}

type StopProcess = (exitCode: 0 | 1) => void

/**
 * Returns a function that stops the server once. A stop during the start waits for the start, so that nothing stays
 * half-started.
 */
function stopOnce({ stopSeconds }: Config, starting: Promise<RunningServer>): StopProcess {
  let isStopping = false
  return (exitCode) => {
    // An error while stopping makes the exit code of a requested stop 1.
    process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCode)
    if (isStopping) return
    isStopping = true
    // Slightly before the supervisor kills the process.
    setTimeout(() => process.exit(1), stopSeconds * 1_000 - 500).unref()
    const drained = starting.then(
      (running) => running.stop(),
      () => undefined,
    )
    // The log writes its last lines at the end of this event-loop turn.
    void drained.finally(() => setImmediate(() => process.exit()))
  }
}

/**
 * After an unhandled error the state of the process is unknown: logs it, gives runs back and exits, so that the
 * supervisor starts a new process. Node also reports unhandled rejections here.
 */
function stopOnUncaughtError(log: Log, stop: StopProcess): void {
  process.on('uncaughtException', (error: unknown) => {
    log.error('unhandled error; the process exits', { error })
    stop(1)
  })
}

function stopOnSignal({ mode }: Config, stop: StopProcess): void {
  let firstSignalAt: number | null = null
  const onSignal = () => {
    const isSecond = firstSignalAt !== null && performance.now() - firstSignalAt > sameSignalMs
    // The next process resumes unfinished work. A trial is not killed, because its database must stop cleanly.
    if (isSecond && mode === 'production') process.exit(1)
    firstSignalAt ??= performance.now()
    stop(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  // A killed parent, such as npm, cannot forward a signal: stop when the parent is gone.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop(0)
  }, 500).unref()
}
