/** Opens the Cin7 Core API client and interprets its responses. */
import type { Clock } from '../../ports/clock.ts'
import { type ApiClient, openApiClient } from '../http/client.ts'
import type { ResponseVerdict } from '../http/response-verdict.ts'
import { Fault } from '../../ports/faults.ts'
import type { ConnectionContext } from '../../ports/source.ts'
import type { Cin7Settings } from './settings.ts'

/** The client and clock that the readers share. */
export interface Cin7Connection {
  readonly client: ApiClient
  readonly clock: Clock
  readonly callsPerMinute: number
}

export function openCin7(
  { accountId, applicationKey, base, callsPerMinute }: Cin7Settings,
  around: ConnectionContext,
): Cin7Connection {
  const api = {
    title: 'Cin7 Core',
    code: 'cin7',
    base,
    headers: { accept: 'application/json', 'api-auth-accountid': accountId, 'api-auth-applicationkey': applicationKey },
    rateLimitKey: applicationKey,
    pace: { calls: callsPerMinute, windowMs: 60_000, pausesMs: [15_000, 30_000, 60_000] },
    timeoutMs: 60_000,
    judge,
  }
  return { client: openApiClient(api, around), clock: around.clock, callsPerMinute }
}

/**
 * Purchases report the limit in the text, under a status of their own. A deleted document is a 400 with “not found”.
 * During maintenance Cin7 shows a web page that is not its page about a wrong path.
 */
function judge(status: number, text: string): ResponseVerdict | null {
  if (text.length < 2_000 && text.includes('reached 60 calls per 60 seconds')) return 'limited'
  if (status === 400 && /not found/i.test(text)) return noSuchRecord()
  if (status === 200 && text.trimStart().startsWith('<') && !/not found/i.test(text)) return 'failing'
  return null
}

const noSuchRecordCode = 'cin7.no_such_record'
function noSuchRecord(): Fault {
  return new Fault('data', {
    code: noSuchRecordCode,
    notice: 'Cin7 Core no longer has a record that it listed before. It is left out until Cin7 Core lists it again.',
  })
}

export function isNoSuchRecord(error: unknown): boolean {
  return error instanceof Fault && error.code === noSuchRecordCode
}

/**
 * True if the account does not have the path. Cin7 Core reports that with any of these codes, even a refusal.
 * If the credentials themselves are refused, every other call fails as well.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Fault && unavailableCodes.includes(error.code)
}
const unavailableCodes = ['cin7.not_available', 'cin7.not_found', 'cin7.wrong_method', 'cin7.refused']

/** Treating such a response as an empty list would empty the table. */
export function unknownFormatFault(path: string): Fault {
  return new Fault('data', {
    code: 'cin7.unknown_shape',
    notice: `Cin7 Core answered for ${path} in a form that Tributary does not know, so its rows were not changed. Please report this.`,
  })
}
