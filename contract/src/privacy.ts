/** Export of the personal data of one person. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { forSignedIn } from './route-parts.ts'
import { organisationInQuery } from './scope.ts'

/** The rows of each table by the store's names, so that the export is complete; without keys, hashes and secrets. */
export const PersonalDataExport = z.object({
  Person: z.uuid(),
  ExportedAtUtc: z.string(),
  Tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** The value of `after` for the next page, whose tables are to be merged; null on the last page. */
  Next: z.string().nullable(),
})
export type PersonalDataExport = z.infer<typeof PersonalDataExport>

/** The most rows of one page. */
export const heldRowsMax = 2_000

const after = z.string().max(1_000).optional()

export const privacy = {
  ownExport: route({
    method: 'GET',
    path: '/me/export',
    summary: 'Everything that is held about oneself, up to 2000 rows at a time.',
    ...forSignedIn,
    query: z.strictObject({ after }),
    needsFreshProof: true,
    reply: PersonalDataExport,
  }),
  memberExport: route({
    method: 'GET',
    path: '/users/:userId/export',
    summary:
      'What the organisation holds about a member, up to 2000 rows at a time; a superadmin gets everything that is held about the person.',
    allow: 'editUsers',
    scope: organisationInQuery,
    needsFreshProof: true,
    params: z.strictObject({ userId: Id }),
    query: z.strictObject({ orgId: Id.optional(), after }),
    reply: PersonalDataExport,
  }),
} as const
