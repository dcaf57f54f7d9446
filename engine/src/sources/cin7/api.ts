/** How Cin7 Core wants to be called, and what its answers mean. */
import { openApi } from '../../http/client.ts'
import type { ApiClient } from '../../http/client.ts'
import type { Verdict } from '../../http/verdict.ts'
import { Fault } from '../../faults.ts'
import type { Surroundings } from '../../source.ts'
import type { Cin7Settings } from './settings.ts'

/** Cin7 Core allows 60 calls in any 60 seconds; a few are left to its clock and to a restart of ours. */
export const cin7Pace = { calls: 55, windowMs: 60_000, pausesMs: [15_000, 30_000, 60_000] }

export function openCin7({ accountId, applicationKey, base }: Cin7Settings, around: Surroundings): ApiClient {
  return openApi(
    {
      title: 'Cin7 Core',
      code: 'cin7',
      base,
      headers: { accept: 'application/json', 'api-auth-accountid': accountId, 'api-auth-applicationkey': applicationKey },
      pacedBy: applicationKey,
      pace: cin7Pace,
      timeoutMs: 60_000,
      judge,
    },
    around,
  )
}

/** Purchases tell the limit in the text, under a status of their own; a document that is gone is a 400 that says so. */
function judge(status: number, text: string): Verdict | null {
  if (text.length < 2_000 && text.includes('reached 60 calls per 60 seconds')) return 'limited'
  if (status === 400 && /not found/i.test(text)) return noSuchRecord()
  return null
}

export const noSuchRecordCode = 'cin7.no_such_record'
function noSuchRecord(): Fault {
  return new Fault('data', {
    code: noSuchRecordCode,
    notice: 'Cin7 Core no longer has a record that it named before. It is left out until it is named again.',
  })
}
