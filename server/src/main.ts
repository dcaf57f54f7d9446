/** Starts and stops. The only file that touches the process. */
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

/** A signal that comes to us by two ways, from the terminal and from who started us, is still one. */
const sameSignalMs = 1_000

const { config, problems } = takeConfig()
try {
  await requireReady()
  const log = openLog(config.logLevel, undefined, { role: config.role, form: config.logForm })
  redactConfigSecrets(log, config)
  const starting = startServer(config, log)
  const stop = stopOnce(config, starting)
  endOnWhatNothingHandles(log, stop)
  stopWhenAsked(config, stop)
  await greet(await starting)
} catch (error) {
  if (!(error instanceof StartRefused)) throw error
  console.error(consoleLine(config, 'error', error.message))
  process.exitCode = 1
}

/** Tells everything that is missing or weak at once, so that nobody has to try again for each. */
async function requireReady(): Promise<void> {
  const ofStore =
    config.mode === 'production' && config.databaseUrl !== null && URL.canParse(config.databaseUrl)
      ? await findStoreProblems(
          parseDatabaseUrl(config.databaseUrl),
          trialPeople.map(({ emailAddress }) => emailAddress),
        )
      : []
  const all = [...problems, ...ofStore]
  if (all.length === 0) return
  if (all.length === 1) throw new StartRefused(`Tributary does not start: ${all[0]}`)
  throw new StartRefused(`Tributary does not start:\n${all.map((problem) => `  - ${problem}`).join('\n')}`)
}

async function greet({ services }: RunningServer): Promise<void> {
  if (config.mode === 'trial') {
    const accounts = trialPeople.map(({ emailAddress, role }) => `  ${emailAddress.padEnd(28)} ${role}`)
    return say(
      [
        `Tributary is ready: ${config.publicUrl}\n`,
        `Trial mode, with demonstration data. Sign in with the password ${trialPassword} as`,
        ...accounts,
        `\nNo mail leaves a trial. Read it at ${config.publicUrl}/mailbox`,
        `The data is in ${config.dataDir}. Stop with Ctrl-C.`,
      ].join('\n'),
    )
  }
  say(`Tributary is ready: ${config.publicUrl}`)
  // A new code ends the former one, so only who can take it shows one.
  if (config.role === 'worker') return
  const code = await createSetupCode(services.store, services.clock)
  if (code === null) return
  say(
    `There is no superadmin yet. Open ${config.publicUrl}/setup and enter this code within an hour; it works once: ${code}`,
  )
}

function say(text: string): void {
  console.log(consoleLine(config, 'info', text))
}

type Stop = (exitCode: 0 | 1) => void

/** Whoever asks while we are starting waits until there is something to stop; half of it must not be left behind. */
function stopOnce({ stopSeconds }: Config, starting: Promise<RunningServer>): Stop {
  let isStopping = false
  return (exitCode) => {
    // What fails on the way out makes a failure of an end that was asked for.
    process.exitCode = Math.max(Number(process.exitCode ?? 0), exitCode)
    if (isStopping) return
    isStopping = true
    // A little before whoever stops us pulls the plug.
    setTimeout(() => process.exit(1), stopSeconds * 1_000 - 500).unref()
    const drained = starting.then(
      (running) => running.stop(),
      () => undefined,
    )
    // The log writes its last lines at the end of this turn.
    void drained.finally(() => setImmediate(() => process.exit()))
  }
}

/**
 * An error that nothing handles leaves us in a state that nobody thought of: it is told, what is under way is given back, and
 * whoever started us starts another. Node brings the rejections here, too.
 */
function endOnWhatNothingHandles(log: Log, stop: Stop): void {
  process.on('uncaughtException', (error: unknown) => {
    log.error('nothing handles this error; the process ends', { error })
    stop(1)
  })
}

function stopWhenAsked({ mode }: Config, stop: Stop): void {
  let askedAt: number | null = null
  const onSignal = () => {
    const isAskedAgain = askedAt !== null && performance.now() - askedAt > sameSignalMs
    // What is left undone is taken up by the next process. A trial's database stops with us, and is better stopped cleanly.
    if (isAskedAgain && mode === 'production') process.exit(1)
    askedAt ??= performance.now()
    stop(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  // A parent that was killed cannot pass a signal on; without it nobody would ever stop us.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) stop(0)
  }, 500).unref()
}
