/** What errors of OData services mean, unless a description says otherwise. */
import { Fault, type FaultKind } from '../../../ports/faults.ts'
import type { DescribedApi } from '../calls.ts'

type ApiName = Pick<DescribedApi, 'title' | 'code'>
type ODataErrorCode = 'bad_request' | 'no_access' | 'not_found' | 'gone' | 'failing' | 'unreachable'

const faultsByStatus: { readonly [status: number]: readonly [FaultKind, ODataErrorCode, string] | undefined } = {
  400: [
    'data',
    'bad_request',
    '{title} rejected the request for this table. Take it off the list of tables, and please report this.',
  ],
  403: [
    'settings',
    'no_access',
    'The user may not read this in {title}. Grant it the right to read, or take the table off the list.',
  ],
  404: ['settings', 'not_found', '{title} does not know this table. Check the names and the address in the settings.'],
  410: ['data', 'gone', '{title} no longer has what was asked for. The next run reads the whole table.'],
}

/** Null: as HTTP defines the status. */
export function faultOfStatus({ title, code }: ApiName, status: number): Fault | null {
  const [kind, suffix, notice] = faultsByStatus[status] ?? []
  return kind === undefined
    ? null
    : new Fault(kind, { code: `${code}.${suffix ?? ''}`, notice: (notice ?? '').replaceAll('{title}', title) })
}

export function hasCode(error: unknown, { code }: ApiName, suffixes: readonly ODataErrorCode[]): error is Fault {
  return error instanceof Fault && suffixes.some((suffix) => error.code === `${code}.${suffix}`)
}

/** The login may read nothing, or nothing of what is wanted. */
export function noAccess({ code }: ApiName, notice: string, cause?: unknown): Fault {
  return new Fault('signIn', { code: `${code}.no_access`, notice, ...(cause !== undefined && { cause }) })
}
