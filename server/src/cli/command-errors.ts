/** Explains a failed command: a code for programs, a sentence for people, and the exit code. */
import { CommanderError } from 'commander'
import { ApiFault } from '../kernel/http/api-fault.ts'
import type { Log } from '../kernel/log/log.ts'
import { WrongMasterKey } from '../kernel/config/master-keys.ts'
import { StartRefused } from '../kernel/start-error.ts'
import { isUnreachable } from '../kernel/store/store.ts'
import { CommandRefused } from './command-refused.ts'

/** Exit code 1: the command could not be done. 2: its arguments are wrong. */
export interface ExplainedError {
  readonly exitCode: 1 | 2
  readonly code: string
  readonly message: string
  readonly fields?: Readonly<Record<string, string>>
}

export function explainError(error: unknown, log: Log): ExplainedError {
  if (error instanceof CommanderError) return { exitCode: 2, code: 'usage', message: usageMessage(error) }
  if (error instanceof CommandRefused) return { exitCode: 1, code: error.code, message: error.message }
  if (error instanceof StartRefused) return { exitCode: 1, code: 'refused', message: error.message }
  if (error instanceof WrongMasterKey) return { exitCode: 1, code: 'wrongMasterKey', message: wrongKey }
  if (isUnavailable(error)) return { exitCode: 1, code: 'unavailable', message: unavailable }
  if (error instanceof ApiFault)
    return { exitCode: 1, code: error.code, message: error.message, ...(error.fields && { fields: error.fields }) }
  log.error('the command failed', { error })
  return {
    exitCode: 1,
    code: 'broken',
    message: 'Something went wrong that should not. The lines above say what; please report them.',
  }
}

function usageMessage({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Say what to do.' : message.replace(/^error: /u, '')
}

const wrongKey =
  'The master key does not open what is stored. Set the one that the server is started with, in TRIBUTARY_MASTER_KEY or TRIBUTARY_MASTER_KEY_FILE.'
const unavailable =
  'The database cannot be reached. Check DATABASE_URL, and whether the database runs; `tributary doctor` says more. Nothing was changed.'

/**
 * A refused password counts as unavailable, too. The database's own message is left out, because it may name the user.
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiFault) return error.code === 'unavailable'
  const { code } = error as { readonly code?: unknown }
  return isUnreachable(error) || code === '28P01' || code === '28000' || code === '3D000'
}
