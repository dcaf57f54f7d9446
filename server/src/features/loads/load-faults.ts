/** Faults of loads. */
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { LoadRow } from './queries.ts'

const statusTexts: Readonly<Record<LoadRow['status'], string>> = {
  RECEIVING: 'it was never loaded',
  COMMITTING: 'it is being loaded',
  LOADED: 'it was loaded',
  UNDONE: 'it was undone',
  CANCELLED: 'it was cancelled',
  FAILED: 'it failed',
}

/** The fault for an operation that a load's status does not allow. @param status undefined if the load was deleted */
export function loadEnded(status: LoadRow['status'] | undefined): ApiFault {
  return new ApiFault('loadEnded', { values: { status: status === undefined ? 'it is gone' : statusTexts[status] } })
}

export function fileExpiredFault(): ApiFault {
  return detailedFault('loadRefused', 'The file has expired: files are kept for an hour. Choose it again.')
}
