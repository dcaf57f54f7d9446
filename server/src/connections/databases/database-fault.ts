import { asFault, Fault } from '@tributary/engine/ports/faults'
import { detailedFault } from '../../kernel/http/api-fault.ts'

/** Converts a fault of a database to `settingsWrong` with its notice. Other errors, and bugs, stay as they are. */
export function toSettingsWrong(error: unknown): unknown {
  if (!(error instanceof Fault)) return error
  const { notice, kind } = asFault(error)
  return kind === 'bug' ? error : detailedFault('settingsWrong', notice, { cause: error })
}
