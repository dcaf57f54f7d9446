/** How Cin7 Core wants to be called, and what its answers mean. */
import type { Clock } from '../../ports/clock.ts'
import { openApi } from '../http/client.ts'
import type { ApiClient } from '../http/client.ts'
import type { Verdict } from '../http/verdict.ts'
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import type { Cin7Settings } from './settings.ts'

/** What reading needs. */
export interface Cin7 {
  readonly client: ApiClient
  readonly clock: Clock
  readonly callsPerMinute: number
}

export function openCin7(
  { accountId, applicationKey, base, callsPerMinute }: Cin7Settings,
  around: ConnectionContext,
): Cin7 {
  const api = {
    title: 'Cin7 Core',
    code: 'cin7',
    base,
    headers: { accept: 'application/json', 'api-auth-accountid': accountId, 'api-auth-applicationkey': applicationKey },
    pacedBy: applicationKey,
    pace: { calls: callsPerMinute, windowMs: 60_000, pausesMs: [15_000, 30_000, 60_000] },
    timeoutMs: 60_000,
    judge,
  }
  return { client: openApi(api, around), clock: around.clock, callsPerMinute }
}

/**
 * Purchases tell the limit in the text, under a status of their own; a document that is gone is a 400 that says so. A page
 * that is not the one about a wrong path is what the house shows while it is closed.
 */
function judge(status: number, text: string): Verdict | null {
  if (text.length < 2_000 && text.includes('reached 60 calls per 60 seconds')) return 'limited'
  if (status === 400 && /not found/i.test(text)) return noSuchRecord()
  if (status === 200 && text.trimStart().startsWith('<') && !/not found/i.test(text)) return 'failing'
  return null
}

const noSuchRecordCode = 'cin7.no_such_record'
function noSuchRecord(): Fault {
  return new Fault('data', {
    code: noSuchRecordCode,
    notice: 'Cin7 Core no longer has a record that it named before. It is left out until it is named again.',
  })
}

export function isNoSuchRecord(error: unknown): boolean {
  return error instanceof Fault && error.code === noSuchRecordCode
}

/**
 * The path is not there for this account. Cin7 Core may say so by any of these, a refusal among them; where the credentials themselves
 * are refused, so is every other call.
 */
export function isNotThere(error: unknown): boolean {
  return error instanceof Fault && notThere.includes(error.code)
}
const notThere = ['cin7.not_available', 'cin7.not_found', 'cin7.wrong_method', 'cin7.refused']

/** Taken for an empty list, such an answer would empty the table. */
export function unknownShape(path: string): Fault {
  return new Fault('data', {
    code: 'cin7.unknown_shape',
    notice: `Cin7 Core answered for ${path} in a form that Tributary does not know, so nothing of it was changed. Please report this.`,
  })
}
