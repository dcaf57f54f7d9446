import { callQuery } from '../../api/call-query.ts'

/** The invitations that were not accepted yet. */
export const invitationList = (orgId: string) =>
  callQuery(['invitations', orgId], 'GET /invitations', { query: { orgId } })
