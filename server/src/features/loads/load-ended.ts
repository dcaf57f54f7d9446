import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { LoadRow } from './queries.ts'

const words: Readonly<Record<LoadRow['status'], string>> = {
  RECEIVING: 'it was never loaded',
  COMMITTING: 'it is being loaded',
  LOADED: 'it was loaded',
  UNDONE: 'it was undone',
  CANCELLED: 'it was cancelled',
  FAILED: 'it failed',
}

/** What was asked for cannot be done with a load of that status, or with one that is gone. */
export function loadEnded(status: LoadRow['status'] | undefined): ApiFault {
  return new ApiFault('loadEnded', { values: { status: status === undefined ? 'it is gone' : words[status] } })
}
