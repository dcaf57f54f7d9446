/** What is held about a person, as a file of theirs. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { organisationInQuery } from './scope.ts'

/** By the store's own names, so that nothing is left out: for each table its rows, without keys, hashes and secrets. */
export const PersonalDataExport = z.object({
  Person: z.uuid(),
  ExportedAtUtc: z.string(),
  Tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  /** There is more: ask again with `after` and put the tables together. Null once that was all. */
  Next: z.string().nullable(),
})
export type PersonalDataExport = z.infer<typeof PersonalDataExport>

/** Of one reply. */
export const heldRowsMax = 2_000

const after = z.string().max(1_000).optional()

export const privacy = {
  ownExport: route({
    method: 'GET',
    path: '/me/export',
    summary: 'Everything that is held about oneself, up to 2000 rows at a time.',
    allow: 'signedIn',
    scope: 'none',
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
